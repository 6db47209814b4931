import type { FooterCursor } from "./live-screen.ts";

/** Rendered lines of a footer, with the position of the cursor. */
export interface FooterLines {
  /** Lines. */
  readonly lines: readonly string[];
  /** Position of the cursor. Default: the end of the last line. */
  readonly cursor?: FooterCursor | undefined;
}

/** Input line of another component, which a live view shows as its last lines. */
export interface FooterInput {
  /** Renders the input line for a terminal of that many columns. */
  render(columns: number): FooterLines;
  /** Calls `listener` when the line changes, until the returned function is called. */
  onChange(listener: () => void): () => void;
}
