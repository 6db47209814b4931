import { stripVTControlCharacters } from "node:util";
import type { Token, Tokens } from "marked";
import { displayWidth } from "../text/display-width.ts";
import { wrapLine } from "../text/wrap-line.ts";
import type { MarkdownStyle } from "./markdown-style.ts";
import { isMarkedToken } from "./parse-markdown.ts";
import { renderInline } from "./render-inline.ts";
import { renderMarkdownTable } from "./render-markdown-table.ts";
import { PLAIN, renderSpans, type Style, wrapSpans } from "./styled-text.ts";
import { visibleText } from "./visible-text.ts";

/** Indentation of code blocks. */
const CODE_INDENT = "  ";
/** Maximum width of a thematic break, in columns. */
const RULE_COLUMNS = 40;
/** Minimum width of nested blocks, in columns. Deeper blocks are not indented further. */
const MIN_COLUMNS = 20;

/** Renders blocks as lines. Blocks that an empty line separates in the source are separated by one empty line. */
export function renderBlocks(tokens: readonly Token[], style: MarkdownStyle): string[] {
  const lines: string[] = [];
  let hasGap = false;
  for (const token of tokens) {
    const block = renderBlock(token, style);
    if (block.length > 0) {
      if (hasGap && lines.length > 0) lines.push("");
      lines.push(...block);
    }
    hasGap = endsWithGap(token) || (hasGap && block.length === 0);
  }
  return lines;
}

/** Returns whether an empty line follows a block. */
export function endsWithGap({ type, raw }: Token): boolean {
  return type === "space" || /\n[ \t]*\n$/.test(raw);
}

/** Renders one block as lines. Empty for the space between blocks. */
export function renderBlock(token: Token, style: MarkdownStyle): string[] {
  const { colours, columns } = style;
  if (!isMarkedToken(token)) return renderSource(token.raw, columns);
  switch (token.type) {
    case "space":
      return [];
    case "heading":
      return renderHeading(token, style);
    case "paragraph":
      return renderText(token.tokens, style);
    case "text":
      return token.tokens === undefined
        ? renderSource(visibleText(token.text), columns)
        : renderText(token.tokens, style);
    case "code":
      return [
        ...renderCodeLabel(token.lang ?? "", style),
        ...visibleText(token.text)
          .split("\n")
          .flatMap((line) => renderCodeLine(line, columns)),
      ];
    case "blockquote":
      return indent("│ ", columns, (rest) => renderBlocks(token.tokens, { colours, columns: rest })).map(
        ([prefix, line]) => colours.dim(prefix) + line,
      );
    case "list":
      return renderList(token, style);
    case "table":
      return renderMarkdownTable(token, style);
    case "hr":
      return [colours.dim("─".repeat(Math.min(columns, RULE_COLUMNS)))];
    default:
      return renderSource(token.raw, columns);
  }
}

/** Renders the language of a code block. Empty if the block names none. */
export function renderCodeLabel(language: string, { colours, columns }: MarkdownStyle): string[] {
  const label = visibleText(language).trim();
  return label === ""
    ? []
    : wrapLine(label, columns - CODE_INDENT.length).map((line) => CODE_INDENT + colours.dim(line));
}

/** Renders a line of a code block. */
export function renderCodeLine(line: string, columns: number): string[] {
  return wrapLine(line, columns - CODE_INDENT.length).map((part) => (part === "" ? "" : CODE_INDENT + part));
}

/** Renders the source text unchanged, in wrapped lines. */
function renderSource(raw: string, columns: number): string[] {
  return raw
    .replace(/\n+$/, "")
    .split("\n")
    .flatMap((line) => wrapLine(line, columns));
}

function renderText(tokens: readonly Token[], { colours, columns }: MarkdownStyle, base: Style = PLAIN): string[] {
  return wrapSpans(renderInline(tokens, { colours }, base), columns).map(renderSpans);
}

function renderHeading({ depth, tokens }: Tokens.Heading, style: MarkdownStyle): string[] {
  const { colours } = style;
  if (!colours.isColorSupported) {
    const marker: Token = { type: "text", raw: `${"#".repeat(depth)} `, text: `${"#".repeat(depth)} ` };
    return renderText([marker, ...tokens], style);
  }
  return renderText(tokens, style, depth === 1 ? (text) => colours.bold(colours.underline(text)) : colours.bold);
}

function renderList({ items, ordered }: Tokens.List, style: MarkdownStyle): string[] {
  return items.flatMap((item, index) => {
    // Items are shown with the numbers of the Markdown source, because the items of a list may be rendered one by one.
    const bullet = ordered ? `${/\d+[.)]/.exec(item.raw)?.[0] ?? ""} ` : "• ";
    const [box, ...others] = item.tokens;
    const hasBox = box !== undefined && box.type === "checkbox";
    const marker = hasBox ? bullet + box.raw : bullet;
    const tokens = hasBox ? others : item.tokens;
    const lines = indent(marker, style.columns, (columns) => renderBlocks(tokens, { ...style, columns }));
    const gap = index < items.length - 1 && endsWithGap(item) ? [""] : [];
    const rest = " ".repeat(displayWidth(marker));
    return [
      ...lines.map(([prefix, line], at) => ((at === 0 || prefix === "" ? prefix : rest) + line).trimEnd()),
      ...gap,
    ];
  });
}

/**
 * Renders nested blocks with a prefix, as pairs of prefix and line. Without enough columns for the nested blocks, the
 * prefix is before the first line only, or on a separate line.
 */
function indent(prefix: string, columns: number, render: (columns: number) => string[]): [string, string][] {
  const room = columns - displayWidth(prefix);
  const isNarrow = room < MIN_COLUMNS;
  const lines = render(isNarrow ? columns : room);
  const [first] = lines;
  if (first === undefined) return [[prefix, ""]];
  if (!isNarrow) return lines.map((line) => [prefix, line]);
  const fits = displayWidth(prefix) + displayWidth(stripVTControlCharacters(first)) <= columns;
  const beside: [string, string][] = fits
    ? [[prefix, first]]
    : [
        [prefix, ""],
        ["", first],
      ];
  return [...beside, ...lines.slice(1).map((line): [string, string] => ["", line])];
}
