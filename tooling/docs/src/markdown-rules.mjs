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

/**
 * A Markdown renderer of VitePress.
 * @typedef {{ set: (options: { highlight: null }) => unknown, render: (text: string, page: object) => string }} Renderer
 */

/**
 * Returns a function that renders pages for the search index, which VitePress builds for the client and for the server. The
 * index contains no colors, so code is not highlighted, and each page is rendered once.
 * @returns {(text: string, page: { relativePath: string }, renderer: Renderer) => string}
 */
export function renderForSearch() {
  /** @type {Map<string, string>} */
  const rendered = new Map();
  return (text, page, renderer) => {
    renderer.set({ highlight: null });
    const html = rendered.get(page.relativePath) ?? renderer.render(text, page);
    rendered.set(page.relativePath, html);
    return html;
  };
}

/** @param {string} text */
function escapeText(text) {
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  return html.replaceAll("{{", "&#123;&#123;");
}
