import type { MarkedToken, Token } from "marked";

/** Function that splits a Markdown text into blocks. */
export type ParseMarkdown = (text: string) => readonly Token[];

/** Types of the tokens that the parser produces without extensions. */
const TYPES: ReadonlySet<string> = new Set([
  ...["blockquote", "br", "checkbox", "code", "codespan", "def", "del", "em", "escape", "heading", "hr", "html"],
  ...["image", "link", "list", "list_item", "paragraph", "space", "strong", "table", "text"],
]);

/** Returns whether a token has one of the types that the parser produces without extensions. */
export function isMarkedToken(token: Token): token is MarkedToken {
  return TYPES.has(token.type);
}

/**
 * Splits a text into blocks. If the parser fails, for example because of nesting that is too deep, or loses characters,
 * the text is one block that is shown as it is written.
 */
export function parseSafely(parse: ParseMarkdown, text: string): readonly Token[] {
  if (text === "") return [];
  try {
    const tokens = parse(text);
    if (tokens.map(({ raw }) => raw).join("") === text) return tokens;
  } catch {
    // If the Markdown cannot be parsed, the text is shown unchanged.
  }
  return [{ type: "text", raw: text, text }];
}
