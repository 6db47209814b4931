import type { TextOutput } from "../streams/terminal.ts";
import { cutToWidth, displayWidth } from "../text/display-width.ts";

/**
 * Terminal screen whose last lines, the footer, are redrawn in place while finished lines scroll away above. All output
 * to the terminal must use the screen.
 */
export interface LiveScreen {
  /** Prints finished lines above the footer. */
  print(lines: readonly string[]): void;
  /** Replaces the footer. Lines that are too long are cut. They may contain styles, but no other escape sequences. */
  setFooter(lines: readonly string[]): void;
  /** Removes the footer. */
  close(): void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles of the footer are escape sequences.
const STYLES = /\x1b\[[\d;]*m/g;
const ERASE_LINE = "\x1b[2K";
const LINE_UP = "\x1b[1A";
/**
 * Number of columns left free for `^C`, which the terminal prints after the footer when Ctrl-C is pressed. It must not
 * wrap to a new row.
 */
const ROOM = 3;

/** Returns a line without its styles, which occupy no columns. */
function withoutStyles(line: string): string {
  return line.replace(STYLES, "");
}

/** Cuts a line to a number of columns. A line that is cut loses its styles. */
function cutStyled(line: string, columns: number): string {
  const text = withoutStyles(line);
  return displayWidth(text) <= columns ? line : cutToWidth(text, columns);
}

/**
 * Returns the number of terminal rows that a printed line occupies now. If the terminal has become narrower, the line
 * was wrapped.
 */
function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(displayWidth(withoutStyles(line)) / Math.max(columns, 1)));
}

/** Creates the live screen of a terminal. */
export function createLiveScreen(output: TextOutput): LiveScreen {
  let footer: readonly string[] = [];
  // Erases and draws in one write, so that no partial screen is visible.
  const draw = (above: readonly string[], below: readonly string[]): void => {
    const rows = footer.reduce((sum, line) => sum + rowsOf(line, output.columns), 0);
    // Erases line by line, because some terminals copy the screen to their history if it is erased at once.
    const erase = rows === 0 ? "" : `\r${Array(rows).fill(ERASE_LINE).join(LINE_UP)}`;
    footer = below.map((line) => cutStyled(line, output.columns - ROOM));
    output.write(`${erase}${above.map((line) => `${line}\n`).join("")}${footer.join("\n")}`);
  };
  return {
    print: (lines) => draw(lines, footer),
    setFooter: (lines) => draw([], lines),
    close: () => draw([], []),
  };
}
