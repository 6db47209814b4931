import type { MarkdownRenderer } from "../markdown/load-markdown.ts";
import type { MarkdownStream } from "../markdown/markdown-stream.ts";
import type { MarkdownStyle } from "../markdown/markdown-style.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";
import type { LiveScreen } from "./live-screen.ts";
import { TAB } from "./render-event.ts";

/** Response of the model, printed while the model writes it. */
export interface Answer {
  /** Adds an increment of the model's text. */
  add(text: string): void;
  /** Ends the model's response. Prints the whole text unless it was streamed. */
  finish(whole: string): void;
  /** Returns the last lines of the response, which may still change as more text arrives. */
  pending(): string[];
}

/** Options of `createAnswer`. */
export interface AnswerOptions {
  /** Returns the current style. Its width follows the width of the terminal. */
  readonly style: () => MarkdownStyle;
  /** Renders Markdown. `undefined`: the text is shown as it is written. */
  readonly markdown?: MarkdownRenderer | undefined;
}

/** Creates the display of the model's responses on a screen. */
export function createAnswer(screen: Pick<LiveScreen, "print">, { style, markdown }: AnswerOptions): Answer {
  const print = (lines: readonly string[]): void => screen.print(lines);
  const stream = markdown?.openStream({ style, print }) ?? openTextStream(print, () => style().columns);
  let isStreamed = false;
  return {
    add(text) {
      isStreamed = true;
      stream.add(text);
    },
    finish(whole) {
      if (!isStreamed && whole !== "") stream.add(whole);
      stream.end();
      isStreamed = false;
    },
    pending: () => stream.pending(),
  };
}

/** Creates a stream that prints text as it is written, line by line. */
function openTextStream(print: (lines: readonly string[]) => void, columns: () => number): MarkdownStream {
  let line = "";
  return {
    add(text) {
      const lines = (line + neutraliseControls(text).replaceAll("\t", TAB))
        .split("\n")
        .flatMap((part) => wrapLine(part, columns()));
      line = lines.pop() ?? "";
      if (lines.length > 0) print(lines);
    },
    end() {
      if (line !== "") print([line]);
      line = "";
    },
    pending: () => (line === "" ? [] : [line]),
  };
}
