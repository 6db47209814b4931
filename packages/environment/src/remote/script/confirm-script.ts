import { FILE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { quoteWord, quoteWords } from "./quote-word.ts";

/**
 * Shell script that runs a program for each given file. The file is opened, checked and passed as standard input. A
 * record with the tag and the file's number precedes the program's output. Files that no longer exist, or are outside
 * the workspace, are skipped.
 */
const EACH = `
sy_n=0
for sy_x do
  printf '%s\\000%s\\n' "$sy_tag" "$sy_n"
  sy_n=$((sy_n + 1))
  ( sy_open "$sy_x" && eval "exec $sy_argv <&5" ) 2>/dev/null
done
exit 0
`;

/** Options for confirming files. */
export interface ConfirmScript {
  /** Real path of the workspace. */
  readonly root: string;
  /** Path of a folder that lists a process's open files by descriptor, such as `/proc/self/fd`. */
  readonly descriptors: string;
  /** Random text that no file contains, for records in the output. */
  readonly tag: string;
  /** The program with its arguments. */
  readonly argv: readonly string[];
}

/** Returns the script that runs a program on the files given as its arguments. */
export function renderConfirmScript({ root, descriptors, tag, argv }: ConfirmScript): string {
  const settings = { root: root === "/" ? "" : root, fd: descriptors, tag };
  const lines = Object.entries(settings).map(([name, value]) => `sy_${name}=${quoteWord(value)}\n`);
  return `${PATH_FUNCTIONS}${FILE_FUNCTIONS}${lines.join("")}sy_argv=${quoteWord(quoteWords(argv))}\n${EACH}`;
}
