import { FILE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { quoteArgument, quoteArguments } from "./quote-argument.ts";

/**
 * Shell script that runs a program for each given file. The file is opened, checked, and passed to the program as
 * standard input. Before the program's output, the script prints a record with a unique text (tag) and the file's
 * number. Files that no longer exist, or are outside the workspace, are skipped.
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
  /** Random text that no file contains. It identifies the records that the script adds to the output. */
  readonly tag: string;
  /** The program with its arguments. */
  readonly argv: readonly string[];
}

/** Returns a shell script that runs a program on each of the files given as arguments. */
export function renderConfirmScript({ root, descriptors, tag, argv }: ConfirmScript): string {
  const settings = { root: root === "/" ? "" : root, fd: descriptors, tag };
  const lines = Object.entries(settings).map(([name, value]) => `sy_${name}=${quoteArgument(value)}\n`);
  return `${PATH_FUNCTIONS}${FILE_FUNCTIONS}${lines.join("")}sy_argv=${quoteArgument(quoteArguments(argv))}\n${EACH}`;
}
