import type { DumpToken } from "./dump-channels.ts";

const BAR = 0x7c;
const GREATER_THAN = 0x3e;

/** State of the line of a hex dump that is being read. */
export interface DumpLine {
  /** Offset at the start of the line, as printed. */
  readonly offset: string;
  /** Number of spaces between the offset and the first byte. */
  gap: number;
  bytes: number;
  readonly tokens: DumpToken[];
  /**
   * Which part of the dump line is being read. `data`: the bytes. `beside`: the text column, which shows the bytes as
   * characters. `after`: what follows the line.
   */
  part: "data" | "beside" | "after";
  /**
   * Value of `UnitCount.count` at the start of the line's text column: the number of characters from the start of the
   * text up to the column. Can be an estimate.
   */
  columnStart: number;
  /**
   * Position at which this dump line may end: a line end was removed from the text there, and the text column may be
   * complete. `undefined` if there is no such position.
   */
  end: number | undefined;
  /** Number of characters read in the line. An escape sequence counts as one. */
  symbols: number;
  /** Number of characters before the text column in this line of the hex dump. An escape sequence counts as one. */
  columnSymbols: number;
  /**
   * Value of `UnitCount.lastBreak`, the position of the last removed line end, that was last checked for this dump
   * line.
   */
  seenBreak: number;
  /**
   * Value of `UnitCount.count` at the start of the line: the number of characters from the start of the text up to the
   * line.
   */
  readonly opened: number;
  /** Number of characters in the original text per character of the dump line. Above 1 if the dump is escaped. */
  ratio: number;
  /** True if the text column of the hex dump has contained only spaces so far. */
  isBlank: boolean;
  /** True if the text column is enclosed in `|` characters, or in `>` and `<`. */
  isFramed: boolean;
  /** True if the previous line has one column per character, as in `od -c`. */
  readonly isAfterCells: boolean;
}

/**
 * Returns whether a token is an offset. Offsets have 8 digits in `xxd` and `hexdump -C`, 7 digits in `od` and
 * `hexdump`, and 6 digits in `od -A x`. Six digits can be data instead of an offset. They count as an offset only if
 * they start with a null byte, which does not occur in text.
 */
export function isOffset(text: string, isBeforeColon: boolean): boolean {
  if (isBeforeColon) return text.length === 8 && text.startsWith("0");
  // An offset starts with 0, because realistic dumps are not long enough for another first digit.
  if (text.length === 6) return text.startsWith("00") && text.endsWith("0");
  return (text.length === 7 || text.length === 8) && text.startsWith("0");
}

/** Returns whether the line may be from `od`, whose offsets are shorter than those of other programs. */
export function isFromOd({ offset }: DumpLine): boolean {
  return offset.length < 8;
}

/** Returns whether the line is from `od -c` or `hexdump -c`, which print one character per column, widely spaced. */
export function isCells(line: DumpLine): boolean {
  return line.gap >= 2 && line.gap !== 4 && isFromOd(line);
}

/** Returns whether a character may open the text column. */
export function isFrame(code: number): boolean {
  return code === BAR || code === GREATER_THAN;
}

/**
 * Returns whether a character, after the padding of a short line, opens the text column. `hexdump -C` encloses the text
 * column in `|` characters, and `od -t x1z` in `>` and `<`.
 */
export function opensFrame(line: DumpLine, code: number): boolean {
  return isFromOd(line) ? code === GREATER_THAN : code === BAR && line.gap > 1;
}

/**
 * Maximum number of characters in a line of `od -c`. More than 16, because two lines may be joined if a line end
 * between them was removed.
 */
export const MAX_CELLS = 18;

/** Number of spaces by which the start of the text column may differ from the expected position. */
export const MAX_PADDING = 3;

/** Returns the number of bytes that a token of a dump represents. */
export function sizeOf(text: string): number {
  if (text.length === 6) return 2;
  return text.length === 3 || text.length === 1 ? 1 : text.length / 2;
}

/**
 * Returns the minimum number of characters in the text column. It is a minimum because the padding before the column is
 * only approximately known.
 */
export function columnSize({ bytes, isFramed }: DumpLine): number {
  return isFramed ? bytes + 2 : bytes - (bytes < 16 ? MAX_PADDING : 0);
}
