import { FILE_FUNCTIONS } from "./file-functions.ts";
import { PATH_FUNCTIONS } from "./path-functions.ts";
import { quoteWord, quoteWords } from "./quote-word.ts";

/**
 * Runs a program on each file that it is given, as its input, opened and checked. In front of what the program prints
 * comes a record of the tag and the number of the file. A file that leads out, or is gone, is passed over.
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

/** What files are confirmed with. */
export interface ConfirmScript {
  /** Real path of the workspace. */
  readonly root: string;
  /** Where open files are found by their descriptor. */
  readonly descriptors: string;
  /** What no file can contain. */
  readonly tag: string;
  /** The program with its arguments. */
  readonly argv: readonly string[];
}

/** The script that runs a program on the files that are its arguments. */
export function renderConfirmScript({ root, descriptors, tag, argv }: ConfirmScript): string {
  const settings = { root: root === "/" ? "" : root, fd: descriptors, tag };
  const lines = Object.entries(settings).map(([name, value]) => `sy_${name}=${quoteWord(value)}\n`);
  return `${PATH_FUNCTIONS}${FILE_FUNCTIONS}${lines.join("")}sy_argv=${quoteWord(quoteWords(argv))}\n${EACH}`;
}
