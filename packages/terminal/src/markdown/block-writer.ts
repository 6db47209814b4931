import type { Token } from "marked";
import type { MarkdownStyle } from "./markdown-style.ts";
import { endsWithGap, renderBlock, renderBlocks } from "./render-blocks.ts";

/**
 * Prints the Markdown blocks of a text. Prints an empty line between two blocks if the text has an empty line there.
 */
export interface BlockWriter {
  /**
   * Prints a block. If the token is an empty line instead, records that the next block is preceded by an empty line.
   */
  token(token: Token): void;
  /** Begins a block and prints its first lines. `hasGap`: true if the text has an empty line before the block. */
  begin(lines: readonly string[], hasGap: boolean): void;
  /** Prints further lines of the block that `begin` started. */
  lines(lines: readonly string[]): void;
  /** Renders blocks without printing them. */
  preview(tokens: readonly Token[]): string[];
}

/** Creates a block writer for one text. */
export function createBlockWriter(style: () => MarkdownStyle, print: (lines: readonly string[]) => void): BlockWriter {
  let hasBlock = false;
  let hasGap = false;
  const begin = (lines: readonly string[]): void => {
    const gap = hasGap && hasBlock ? [""] : [];
    if (gap.length + lines.length > 0) print([...gap, ...lines]);
    hasBlock = true;
    hasGap = false;
  };
  return {
    token(token) {
      const lines = renderBlock(token, style());
      if (lines.length > 0) begin(lines);
      hasGap ||= endsWithGap(token);
    },
    begin(lines, isSeparate) {
      hasGap ||= isSeparate;
      begin(lines);
    },
    lines(lines) {
      if (lines.length > 0) print(lines);
      hasBlock ||= lines.length > 0;
    },
    preview(tokens) {
      const lines = renderBlocks(tokens, style());
      const isSeparate = hasGap || (tokens[0] !== undefined && tokens[0].type === "space");
      return lines.length > 0 && isSeparate && hasBlock ? ["", ...lines] : lines;
    },
  };
}
