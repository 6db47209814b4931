const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decodeEntity(whole: string, name: string): string {
  if (name.startsWith("#")) {
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  }
  return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole;
}

/** Names of elements whose content is not text of the page, such as scripts. */
const HIDDEN = new Set(["script", "style", "noscript", "template", "svg", "head"]);
/** Names of elements that start a new line. */
const BLOCKS =
  /^(?:p|div|br|li|ul|ol|tr|table|h[1-6]|section|article|header|footer|main|nav|pre|blockquote|hr|dt|dd|title)$/;

/** Returns the index after the end of an element whose content is not shown. */
function skipElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[\\s>]`, "gi");
  end.lastIndex = from;
  const found = end.exec(html);
  if (found === null) return html.length;
  const close = html.indexOf(">", found.index);
  return close < 0 ? html.length : close + 1;
}

/** Returns the index after the tag or comment that starts at the given index. */
function endOfTag(html: string, at: number): number {
  const isComment = html.startsWith("<!--", at);
  const end = html.indexOf(isComment ? "-->" : ">", at);
  return end < 0 ? html.length : end + (isComment ? 3 : 1);
}

/**
 * Returns the text of an HTML page without markup, in linear time. Used for pages that are too large or too deeply
 * nested for a parser.
 */
export function toPlainText(html: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf("<", at);
    if (tag < 0) {
      pieces.push(html.slice(at));
      break;
    }
    pieces.push(html.slice(at, tag));
    const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(tag, tag + 32))?.[1]?.toLowerCase();
    if (name === undefined && !html.startsWith("<!", tag)) {
      pieces.push("<");
      at = tag + 1;
      continue;
    }
    if (name !== undefined && BLOCKS.test(name)) pieces.push("\n");
    at = endOfTag(html, tag);
    if (name !== undefined && HIDDEN.has(name) && html[tag + 1] !== "/") at = skipElement(html, name, at);
  }
  return pieces
    .join("")
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{1,8});/gi, decodeEntity)
    .replace(/[ \t\f\v\u00a0]+/g, " ")
    .replace(/ ?(?:\r?\n) ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
