import type { TextOutput } from "../streams/terminal.ts";
import { cutToWidth, displayWidth } from "../text/display-width.ts";

/**
 * A terminal whose last lines, the footer, are redrawn in place while finished lines scroll away above. All output must
 * go through it.
 */
export interface LiveScreen {
  /** Prints finished lines above the footer. */
  print(lines: readonly string[]): void;
  /** Replaces the footer. Lines that are too long are cut. */
  setFooter(lines: readonly string[]): void;
  /** Removes the footer. */
  close(): void;
}

const ERASE_LINE = "\x1b[2K";
const LINE_UP = "\x1b[1A";
/** Columns left free for the `^C` that the terminal prints, which must not wrap to a new row. */
const ROOM = 3;

/** Number of rows of a drawn line. A terminal that has become narrower has wrapped it. */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(displayWidth(line) / Math.max(columns, 1)));
}

/** Creates the live screen of a terminal. */
export function createLiveScreen(output: TextOutput): LiveScreen {
  let footer: readonly string[] = [];
  // One write for erasing and drawing, so that no partial screen is visible.
  const draw = (above: readonly string[], below: readonly string[]): void => {
    const rows = footer.reduce((sum, line) => sum + rowsOf(line, output.columns), 0);
    // Erases line by line, because some terminals copy a screen that is erased at once to their history.
    const erase = rows === 0 ? "" : `\r${Array(rows).fill(ERASE_LINE).join(LINE_UP)}`;
    footer = below.map((line) => cutToWidth(line, output.columns - ROOM));
    output.write(`${erase}${above.map((line) => `${line}\n`).join("")}${footer.join("\n")}`);
  };
  return {
    print: (lines) => draw(lines, footer),
    setFooter: (lines) => draw([], lines),
    close: () => draw([], []),
  };
}
