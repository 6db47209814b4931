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
  beside: number;
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
