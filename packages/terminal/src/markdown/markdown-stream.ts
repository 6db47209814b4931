import type { MarkdownStreamOptions } from "./markdown-stream-options.ts";
import { MarkdownText } from "./markdown-text.ts";
import type { ParseMarkdown } from "./parse-markdown.ts";

/** Renders Markdown while a model writes it. Blocks are printed once they are complete, and code line by line. */
export interface MarkdownStream {
  /** Adds an increment of the text. */
  add(text: string): void;
  /** Prints the rest of the text. The next increment begins a new text. */
  end(): void;
  /** Renders the block that is not complete yet. */
  pending(): string[];
}

/** Creates a Markdown stream. */
export function createMarkdownStream(parse: ParseMarkdown, options: MarkdownStreamOptions): MarkdownStream {
  let text = new MarkdownText(parse, options);
  return {
    add: (chunk) => text.add(chunk),
    end() {
      text.end();
      text = new MarkdownText(parse, options);
    },
    pending: () => text.pending(),
  };
}
