import type { MarkdownStyle } from "./markdown-style.ts";

/** Options of `MarkdownRenderer.openStream`. */
export interface MarkdownStreamOptions {
  /** Returns the current style. The terminal may change its width. */
  readonly style: () => MarkdownStyle;
  /** Receives finished lines. */
  readonly print: (lines: readonly string[]) => void;
}
