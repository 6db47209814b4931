import { replaceHiddenCharacters } from "@switchyard/contracts";
import { Marked } from "marked";
import { html, type Markup } from "../page/markup.ts";

/** Schemes that a link in untrusted text may have. Other links are shown as text. */
const SAFE_LINK = /^(?:https?:\/\/|mailto:)[^\s]*$/iu;
const CONTROLS = /(?![\n\t])\p{Cc}/gu;

const PARSER = new Marked({
  gfm: true,
  renderer: {
    // HTML in the text of a model is shown as text.
    html: ({ text }) => html`${text}`.markup,
    // Inside raw HTML, Marked's own renderer would not escape the text.
    text(token) {
      if ("tokens" in token && token.tokens !== undefined) return this.parser.parseInline(token.tokens);
      return escapeText(token.text);
    },
    image: ({ href, text }) => html`[${text === "" ? "image" : text}: ${href}]`.markup,
    link({ href, tokens }) {
      const label = this.parser.parseInline(tokens);
      if (!SAFE_LINK.test(href)) return `${label}${html` (${href})`.markup}`;
      return `${html`<a href="${href}" rel="noopener noreferrer nofollow">`.markup}${label}</a>`;
    },
    // Headings of a text must not look like headings of the page.
    heading({ tokens }) {
      return `<p class="heading"><b>${this.parser.parseInline(tokens)}</b></p>\n`;
    },
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    code: ({ text }) => html`<pre tabindex="0" dir="auto">${text}</pre>`.markup,
  },
});

/** Escapes a text, and preserves character references such as `&amp;`, which are text in Markdown. */
function escapeText(text: string): string {
  return html`${text}`.markup.replace(/&amp;(#?\w{1,32};)/gu, "&$1");
}

/**
 * Renders untrusted Markdown as HTML without scripts, event handlers, images and raw HTML. Links lead only to the web
 * and to mail addresses.
 */
export function renderMarkdown(text: string): Markup {
  const plain = replaceHiddenCharacters(text, (codePoint) => `\\u{${codePoint.toString(16)}}`)
    .replace(/\r\n?/gu, "\n")
    .replace(CONTROLS, "\ufffd");
  return { markup: PARSER.parse(plain, { async: false }) };
}
