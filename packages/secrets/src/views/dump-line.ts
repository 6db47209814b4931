import type { DumpToken } from "./dump-channels.ts";

/** State of the current dump line. */
export interface DumpLine {
  /** Offset of the line's bytes in the dumped data, as printed at the start of the line. */
  readonly offset: string;
  /** Number of spaces after the offset. */
  gap: number;
  bytes: number;
  readonly tokens: DumpToken[];
  /**
   * Part of the line that is being read. `data`: before the text column. `beside`: in the text column. `after`: at the
   * end of the line.
   */
  part: "data" | "beside" | "after";
  /** Character count of the text at the start of the text column. */
  beside: number;
  /** End position of the line, if the line end after the text column was removed from the text. */
  end: number | undefined;
  /** Number of unescaped characters in the line. */
  symbols: number;
  /** Number of unescaped characters at the start of the text column. */
  besideSymbols: number;
  /** Position of the last line end that was removed from the dump line so far. */
  seenBreak: number;
  /** Character count of the text at the start of the line. */
  readonly opened: number;
  /** Number of characters in the original text for each character of the dump line, which may be escaped. */
  ratio: number;
  /** True if the text column has contained only spaces so far. */
  isBlank: boolean;
  /** True if the text column is enclosed in bars. */
  isFramed: boolean;
  /** True if the previous line has one character per column. */
  readonly isAfterCells: boolean;
}

/** Returns whether the line is from `od -c` or `hexdump -c`: one character per column, widely spaced. */
export function isCells({ gap, offset }: DumpLine): boolean {
  return gap >= 2 && gap !== 4 && offset.length === 7;
}

/** Tolerance for the start of the text column, in spaces. */
export const MAX_PADDING = 3;

/** Returns the number of bytes represented by a token. */
export function sizeOf(text: string): number {
  if (text.length === 6) return 2;
  return text.length === 3 || text.length === 1 ? 1 : text.length / 2;
}

/** Returns the minimum number of characters in the text column. The padding is only approximately known. */
export function sizeBeside({ bytes, isFramed }: DumpLine): number {
  return isFramed ? bytes + 2 : bytes - (bytes < 16 ? MAX_PADDING : 0);
}
