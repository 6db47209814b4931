import { wrapLine } from "../text/wrap-line.ts";
import { type BlockWriter, createBlockWriter } from "./block-writer.ts";
import { type Fence, isClosing, openFence, withoutIndent } from "./code-fence.ts";
import { completeTokens } from "./complete-tokens.ts";
import type { MarkdownStreamOptions } from "./markdown-stream-options.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { type ParseMarkdown, parseSafely } from "./parse-markdown.ts";
import { renderCodeLabel, renderCodeLine } from "./render-blocks.ts";
import { visibleText } from "./visible-text.ts";

/**
 * Maximum length of a parsed block, in characters. Longer blocks are shown unrendered, to limit the time for parsing.
 */
const MAX_BLOCK = 10_000;

/** One text that is rendered while it is written. Control characters are made visible. */
export class MarkdownText {
  readonly #parse: ParseMarkdown;
  readonly #style: () => MarkdownStyle;
  readonly #output: BlockWriter;
  /** Last character of the previous increment, if it may be the first half of a line ending or of a surrogate pair. */
  #half = "";
  /** Text that is not printed yet. */
  #buffer = "";
  /** Opening line of the code block that is being written. */
  #fence: Fence | undefined;
  /** Whether the block that is being written is too long to be parsed. */
  #isOversized = false;

  constructor(parse: ParseMarkdown, { style, print }: MarkdownStreamOptions) {
    this.#parse = parse;
    this.#style = style;
    this.#output = createBlockWriter(style, print);
  }

  /** Adds an increment of the text. */
  add(chunk: string): void {
    const whole = this.#half + chunk;
    this.#half = /[\r\ud800-\udbff]$/.exec(whole)?.[0] ?? "";
    this.#buffer += visibleText(whole.slice(0, whole.length - this.#half.length));
    if (chunk.includes("\n") || this.#buffer.length > MAX_BLOCK) this.#drain();
  }

  /** Prints the rest of the text. */
  end(): void {
    this.#buffer += visibleText(this.#half);
    this.#drain();
    if (this.#fence === undefined && !this.#isOversized)
      for (const token of parseSafely(this.#parse, this.#buffer)) this.#output.token(token);
    else if (this.#fence === undefined || !isClosing(this.#buffer, this.#fence)) this.#output.lines(this.pending());
  }

  /** Renders the block that is not complete yet. */
  pending(): string[] {
    if (this.#buffer === "") return [];
    if (this.#isOversized) return wrapLine(this.#buffer, this.#style().columns);
    if (this.#fence !== undefined) return this.#codeLine(this.#buffer, this.#fence);
    return this.#output.preview(parseSafely(this.#parse, this.#buffer));
  }

  /** Prints everything that later text cannot change. */
  #drain(): void {
    for (;;) {
      if (this.#isOversized) this.#printOversized();
      if (this.#fence !== undefined) this.#printCode(this.#fence);
      if (this.#isOversized || this.#fence !== undefined || !this.#printBlocks()) return;
    }
  }

  /** Prints complete blocks. Returns false if more text is needed. */
  #printBlocks(): boolean {
    this.#fence = openFence(this.#buffer);
    if (this.#fence !== undefined) {
      this.#buffer = this.#buffer.slice(this.#fence.length);
      this.#output.begin(renderCodeLabel(this.#fence.label, this.#style()), this.#fence.hasGap);
      return true;
    }
    const lines = this.#buffer.slice(0, this.#buffer.lastIndexOf("\n") + 1);
    const tokens = completeTokens(parseSafely(this.#parse, lines.slice(0, MAX_BLOCK * 2)));
    for (const token of tokens) this.#output.token(token);
    this.#buffer = this.#buffer.slice(tokens.reduce((sum, { raw }) => sum + raw.length, 0));
    this.#isOversized = tokens.length === 0 && this.#buffer.length > MAX_BLOCK;
    return tokens.length > 0 || this.#isOversized;
  }

  /** Prints the complete lines of a code block. */
  #printCode(fence: Fence): void {
    const lines = this.#buffer.split("\n");
    const rest = lines.pop() ?? "";
    const end = lines.findIndex((line) => isClosing(line, fence));
    const code = (end < 0 ? lines : lines.slice(0, end)).flatMap((line) => this.#codeLine(line, fence));
    this.#output.lines(code);
    this.#buffer = end < 0 ? rest : [...lines.slice(end + 1), rest].join("\n");
    if (end >= 0) this.#fence = undefined;
    else if (rest.length > MAX_BLOCK) {
      this.#output.lines(this.#codeLine(rest, fence));
      this.#buffer = "";
    }
  }

  #codeLine(line: string, fence: Fence): string[] {
    return renderCodeLine(withoutIndent(line, fence), this.#style().columns);
  }

  /** Prints the source of a block that is too long to be rendered, until an empty line ends the block. */
  #printOversized(): void {
    const { columns } = this.#style();
    const gap = this.#buffer.search(/\n[ \t]*\n/);
    const lines = (gap < 0 ? this.#buffer : this.#buffer.slice(0, gap)).split("\n");
    const wrapped = lines.flatMap((line) => wrapLine(line, columns));
    const rest = gap < 0 ? (wrapped.pop() ?? "") : this.#buffer.slice(gap + 1);
    this.#output.lines(wrapped);
    this.#buffer = rest;
    this.#isOversized = gap < 0;
  }
}
