import type { Token } from "marked";
import type { MarkdownStyle } from "./markdown-style.ts";
import { isMarkedToken } from "./parse-markdown.ts";
import { PLAIN, type Span, type Style } from "./styled-text.ts";
import { visibleText } from "./visible-text.ts";

/** Renders the tokens of a paragraph, heading or table cell. Unknown tokens and HTML are shown as they are written. */
export function renderInline(
  tokens: readonly Token[],
  { colours }: Pick<MarkdownStyle, "colours">,
  base: Style = PLAIN,
): Span[] {
  const inside = (children: readonly Token[], style: Style): Span[] =>
    renderInline(children, { colours }, (text) => base(style(text)));
  // Without colours, the markers remain visible.
  const marked = (marker: string, spans: readonly Span[]): Span[] =>
    colours.isColorSupported ? [...spans] : [plain(marker), ...spans, plain(marker)];
  // The parser decodes character references, which may be control characters.
  const plain = (text: string): Span => ({ text: visibleText(text), style: base });
  return tokens.flatMap((token): Span[] => {
    if (!isMarkedToken(token)) return [plain(token.raw)];
    switch (token.type) {
      case "text":
        return token.tokens === undefined ? [plain(token.text)] : inside(token.tokens, PLAIN);
      case "escape":
        return [plain(token.text)];
      case "strong":
        return marked("**", inside(token.tokens, colours.bold));
      case "em":
        return marked("*", inside(token.tokens, colours.italic));
      case "del":
        return marked("~~", inside(token.tokens, colours.strikethrough));
      case "codespan":
        return marked("`", [{ ...plain(token.text), style: (text) => base(colours.cyan(text)) }]);
      case "br":
        return [plain("\n")];
      // Hyperlink escape sequences are not used: they would hide the address, which the model chooses.
      case "link":
      case "image": {
        const children = token.tokens ?? [];
        const shown = inside(
          children.length > 0 ? children : [{ type: "text", raw: token.text, text: token.text }],
          colours.underline,
        );
        return isAutomatic(token) ? shown : [...shown, { ...plain(` (${token.href})`), style: colours.dim }];
      }
      default:
        return [plain(token.raw)];
    }
  });
}

/** Returns whether a link's text is its address, so that the address is not shown twice. */
function isAutomatic({ text, href }: { readonly text: string; readonly href: string }): boolean {
  return text === href || `mailto:${text}` === href || `http://${text}` === href;
}
