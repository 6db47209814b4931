import { createMarkdownStream, type MarkdownStream } from "./markdown-stream.ts";
import type { MarkdownStreamOptions } from "./markdown-stream-options.ts";
import type { MarkdownStyle } from "./markdown-style.ts";

/** Renders Markdown on a terminal. */
export interface MarkdownRenderer {
  /** Renders a whole text as lines. Control characters in the text are made visible. */
  render(text: string, style: MarkdownStyle): string[];
  /** Creates a stream that renders a text while it is written. */
  openStream(options: MarkdownStreamOptions): MarkdownStream;
}

/** Loads the Markdown renderer. It is loaded only when needed, because most commands show no Markdown. */
export async function loadMarkdown(): Promise<MarkdownRenderer> {
  const { Lexer } = await import("marked");
  const parse = (text: string) => new Lexer({ gfm: true }).lex(text);
  const openStream: MarkdownRenderer["openStream"] = (options) => createMarkdownStream(parse, options);
  return {
    openStream,
    render(text, style) {
      const lines: string[] = [];
      const stream = openStream({ style: () => style, print: (printed) => lines.push(...printed) });
      stream.add(text);
      stream.end();
      return lines;
    },
  };
}
