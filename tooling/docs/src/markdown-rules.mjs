// @ts-check

/**
 * Returns GitHub's anchor of a heading, so that a link to a heading works there and on the site.
 * @param {string} heading
 * @returns {string}
 */
export function headingSlug(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** A renderer of markdown-it. @typedef {(tokens: { content: string }[], index: number) => string} TextRule */

/**
 * Makes Vue show double braces in texts and inline code, instead of evaluating what is between them.
 * @param {{ text?: unknown, code_inline?: unknown }} rules renderers of markdown-it
 */
export function showBraces(rules) {
  /** @type {TextRule} */
  const text = (tokens, index) => escapeText(tokens[index]?.content ?? "");
  /** @type {TextRule} */
  const code = (tokens, index) => `<code>${escapeText(tokens[index]?.content ?? "")}</code>`;
  rules.text = text;
  rules.code_inline = code;
}

/** @param {string} text */
function escapeText(text) {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return html.replaceAll("{{", "&#123;&#123;");
}
