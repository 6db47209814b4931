import type { createColors } from "picocolors";

/** Options for rendering Markdown on a terminal. */
export interface MarkdownStyle {
  /** Maximum width of a line, in columns. */
  readonly columns: number;
  /** Functions that add colours. If colours are disabled, Markdown's own markers, such as `**`, are shown instead. */
  readonly colours: ReturnType<typeof createColors>;
}
