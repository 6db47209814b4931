import type { TextOutput } from "../streams/terminal.ts";
import { cutToWidth, displayWidth } from "../text/display-width.ts";

/** Position of the terminal's cursor in a footer. */
export interface FooterCursor {
  /** Index of the footer line. */
  readonly row: number;
  /** Text before the cursor in this footer line. */
  readonly before: string;
}

/**
 * Terminal screen whose last lines, the footer, are redrawn in place while finished lines scroll away above. All output
 * to the terminal must use the screen.
 */
export interface LiveScreen {
  /** Prints finished lines above the footer. */
  print(lines: readonly string[]): void;
  /**
   * Replaces the footer. Its lines may contain escape sequences of styles, but no others. Lines that are wider than the
   * screen are cut. The cursor is at the end of the footer unless a position is given.
   */
  setFooter(lines: readonly string[], cursor?: FooterCursor): void;
  /** Removes the footer. */
  close(): void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the styles of the footer are escape sequences.
const STYLES = /\x1b\[[\d;]*m/g;
const ERASE_LINE = "\x1b[2K";
const LINE_UP = "\x1b[1A";
const LINE_DOWN = "\x1b[1B";
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

/** Returns the number of terminal rows between the cursor and the last row of the footer. */
function rowsBelow(footer: readonly string[], cursor: FooterCursor | undefined, columns: number): number {
  const line = cursor === undefined ? undefined : footer[cursor.row];
  if (cursor === undefined || line === undefined) return 0;
  const after = footer.slice(cursor.row + 1).reduce((sum, later) => sum + rowsOf(later, columns), 0);
  const rowOfCursor = Math.floor(displayWidth(withoutStyles(cursor.before)) / Math.max(columns, 1));
  return after + rowsOf(line, columns) - 1 - rowOfCursor;
}

/**
 * Moves the cursor from the end of the footer to its position. The text before the cursor is printed again, because
 * terminals differ in the width of some characters.
 */
function moveTo({ row, before }: FooterCursor, footer: readonly string[]): string {
  return `\r${LINE_UP.repeat(Math.max(0, footer.length - 1 - row))}${before}`;
}

/** Creates the live screen of a terminal. */
export function createLiveScreen(output: TextOutput): LiveScreen {
  let footer: readonly string[] = [];
  let at: FooterCursor | undefined;
  // Erases and draws in one write, so that no partial screen is visible.
  const draw = (above: readonly string[], below: readonly string[], cursor?: FooterCursor): void => {
    const down = LINE_DOWN.repeat(Math.max(0, rowsBelow(footer, at, output.columns)));
    const rows = footer.reduce((sum, line) => sum + rowsOf(line, output.columns), 0);
    // Erases line by line, because some terminals copy the screen to their history if it is erased at once.
    const erase = rows === 0 ? "" : `${down}\r${Array(rows).fill(ERASE_LINE).join(LINE_UP)}`;
    footer = below.map((line) => cutStyled(line, output.columns - ROOM));
    at = cursor;
    const move = at === undefined ? "" : moveTo(at, footer);
    output.write(`${erase}${above.map((line) => `${line}\n`).join("")}${footer.join("\n")}${move}`);
  };
  return {
    print: (lines) => draw(lines, footer, at),
    setFooter: (lines, cursor) => draw([], lines, cursor),
    close: () => draw([], []),
  };
}
