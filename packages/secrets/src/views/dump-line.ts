import type { DumpToken } from "./dump-channels.ts";

/** The line of a dump that is being read. */
export interface DumpLine {
  /** Where its bytes begin in the data. */
  readonly offset: string;
  /** Spaces after the offset. */
  gap: number;
  bytes: number;
  readonly tokens: DumpToken[];
  /** `data` before the column of text, `beside` in it, `after` at the end of the line. */
  part: "data" | "beside" | "after";
  /** Count of the text's characters where the column of text begins. */
  beside: number;
  /** Where the line ends if a line end was left out after its column of text. */
  end: number | undefined;
  /** Characters of the line, where escapes are undone. */
  symbols: number;
  /** Count of these where the column of text begins. */
  besideSymbols: number;
  /** Last line end that was left out, as far as the line was read. */
  seenBreak: number;
  /** Count of the text's characters where the line begins. */
  readonly opened: number;
  /** Characters of the text for one of the line. */
  ratio: number;
  /** Nothing but spaces stands in the column of text so far. */
  isBlank: boolean;
  /** The column of text is framed by bars. */
  isFramed: boolean;
  /** The line before has one character in each column. */
  readonly isAfterCells: boolean;
}

/** Of `od -c` and `hexdump -c`: one character in each column, far apart. */
export function isCells({ gap, offset }: DumpLine): boolean {
  return gap >= 2 && gap !== 4 && offset.length === 7;
}

/** Spaces by which the column of text may begin earlier or later than expected. */
export const MAX_PADDING = 3;

/** Bytes that a token of a dump stands for. */
export function sizeOf(text: string): number {
  if (text.length === 6) return 2;
  return text.length === 3 || text.length === 1 ? 1 : text.length / 2;
}

/** Characters in the column of text, at least: padding is only known to within a few spaces. */
export function sizeBeside({ bytes, isFramed }: DumpLine): number {
  return isFramed ? bytes + 2 : bytes - (bytes < 16 ? MAX_PADDING : 0);
}
