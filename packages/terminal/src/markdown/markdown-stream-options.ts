import type { MarkdownStyle } from "./markdown-style.ts";

/** Options of `MarkdownRenderer.openStream`. */
export interface MarkdownStreamOptions {
  /** Returns the current style. Called again for each block, because the width of the terminal can change. */
  readonly style: () => MarkdownStyle;
  /** Receives finished lines. */
  readonly print: (lines: readonly string[]) => void;
}
