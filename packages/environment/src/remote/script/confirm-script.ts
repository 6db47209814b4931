import { FILE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { quoteWord, quoteWords } from "./quote-word.ts";

/**
 * Runs a program on each given file, which is passed as its input, opened and checked. A record with the tag and the
 * file's number precedes its output. Files that are gone or lead out of the workspace are skipped.
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
  /** Folder that contains open files by their descriptor. */
  readonly descriptors: string;
  /** A text that no file can contain. */
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
