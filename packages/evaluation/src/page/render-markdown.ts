import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { type Content, html } from "./markup.ts";

/** URL schemes that links in a text may have. Links with other schemes are shown as text. */
const PROTOCOLS = ["http:", "https:", "mailto:"];

/** Types of the tokens that the parser produces without extensions. */
const TYPES: ReadonlySet<string> = new Set([
  ...["blockquote", "br", "checkbox", "code", "codespan", "def", "del", "em", "escape", "heading", "hr", "html"],
  ...["image", "link", "list", "list_item", "paragraph", "space", "strong", "table", "text"],
]);

/**
 * Renders untrusted Markdown. Templates escape all text, HTML in it included. Images are links, and only web and mail
 * addresses are linked. A text that cannot be parsed is shown as it is written.
 */
export function renderMarkdown(text: string): Content {
  try {
    return html`<div class="markdown" dir="auto">${renderTokens(new Lexer({ gfm: true }).lex(text))}</div>`;
  } catch {
    return html`<pre dir="auto">${text}</pre>`; // Nested too deeply.
  }
}

function renderTokens(tokens: readonly Token[] = []): Content {
  return tokens.map((token) => (isMarkedToken(token) ? renderBlock(token) : token.raw));
}

function isMarkedToken(token: Token): token is MarkedToken {
  return TYPES.has(token.type);
}

function renderBlock(token: MarkedToken): Content {
  switch (token.type) {
    case "space":
      return undefined;
    case "heading":
      // Headings in the text become bold paragraphs, because h1 to h4 are the page's own headings.
      return html`<p><b>${renderTokens(token.tokens)}</b></p>`;
    case "paragraph":
      return html`<p>${renderTokens(token.tokens)}</p>`;
    case "code":
      return html`<pre dir="auto"><code>${token.text}</code></pre>`;
    case "blockquote":
      return html`<blockquote>${renderTokens(token.tokens)}</blockquote>`;
    case "list":
      return renderList(token);
    case "table":
      return renderTable(token);
    case "hr":
      return html`<hr>`;
    default:
      return renderInline(token);
  }
}

function renderList({ ordered, start, items }: Tokens.List): Content {
  const rows = items.map((item) => html`<li>${renderTokens(item.tokens)}</li>`);
  return ordered ? html`<ol start="${start === "" ? 1 : start}">${rows}</ol>` : html`<ul>${rows}</ul>`;
}

function renderTable({ header, rows }: Tokens.Table): Content {
  const head = header.map(({ tokens }) => html`<th>${renderTokens(tokens)}</th>`);
  const body = rows.map((row) => html`<tr>${row.map(({ tokens }) => html`<td>${renderTokens(tokens)}</td>`)}</tr>`);
  return html`<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function renderInline(token: MarkedToken): Content {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? lines(token.text) : renderTokens(token.tokens);
    case "escape":
      return token.text;
    case "strong":
      return html`<strong>${renderTokens(token.tokens)}</strong>`;
    case "em":
      return html`<em>${renderTokens(token.tokens)}</em>`;
    case "del":
      return html`<del>${renderTokens(token.tokens)}</del>`;
    case "codespan":
      return html`<code>${token.text}</code>`;
    case "br":
      return html`<br>`;
    case "checkbox":
      return token.checked ? "☑ " : "☐ ";
    case "link":
    case "image":
      return renderLink(token);
    default:
      return token.raw;
  }
}

/** Keeps the line breaks of the source. */
function lines(text: string): Content {
  return text.split("\n").map((line, index) => (index === 0 ? line : html`<br>${line}`));
}

/** Links to an absolute web or mail address. Other addresses are shown as text. */
function renderLink(token: Tokens.Link | Tokens.Image): Content {
  const shown = token.type === "image" || token.tokens.length === 0 ? token.text : renderTokens(token.tokens);
  if (!URL.canParse(token.href)) return token.raw;
  const { protocol, href } = new URL(token.href);
  if (!PROTOCOLS.includes(protocol)) return token.raw;
  return html`<a href="${href}" rel="noopener noreferrer nofollow">${shown}</a>`;
}
