import type { HtmlDocument, HtmlElement } from "./html-document.ts";
import { isReadable } from "./is-readable.ts";
import { toPlainText } from "./plain-text.ts";

/** Maximum length of parsed HTML, in characters. A larger tree takes too much time and memory. */
const MAX_PARSED_CHARS = 1024 * 1024;
/** Time limit for parsing a page, in milliseconds. After that, the page is converted to plain text instead. */
const MAX_PARSE_MS = 2_000;
/**
 * Maximum nesting depth of tags, as estimated. A page with a greater depth is not parsed but converted to plain text.
 */
const MAX_OPEN_TAGS = 8_000;

/**
 * Minimum length of a page's main part, in characters. A shorter main part is probably a placeholder that scripts fill.
 */
const MIN_PART_CHARS = 200;

/** A page as text. */
export interface ReadPage {
  /** Title of the page. `undefined` if the page has none. */
  readonly title?: string | undefined;
  /** Text of the page. */
  readonly content: string;
}

/** Returns whether a page is nested too deeply to be parsed. The depth is estimated from the tags and never too low. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash] of html.matchAll(/<(\/?)[a-z]/gi)) {
    depth += slash === "/" ? -1 : 1;
    if (depth < 0) depth = 0;
    // Elements without an end tag are counted too. At worst, a page is converted to plain text unnecessarily.
    if (depth > MAX_OPEN_TAGS) return true;
  }
  return false;
}

function titleOf(html: string): string | undefined {
  const title = /<title[^>]{0,1000}>([^<]{1,1000})/i.exec(html.slice(0, 100_000))?.[1];
  const text = title === undefined ? "" : toPlainText(title).replace(/\s+/g, " ");
  return text === "" ? undefined : text;
}

/** Makes the URLs of links and images absolute, because the reader does not know the page's address. */
function resolveLinks(document: HtmlDocument, base: string): void {
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const) {
    for (const element of Array.from(document.querySelectorAll(selector))) {
      const target = element.getAttribute(attribute) ?? "";
      if (/^(?:javascript|data|vbscript):/i.test(target.trim())) element.removeAttribute(attribute);
      else if (URL.canParse(target, base)) element.setAttribute(attribute, new URL(target, base).href);
    }
  }
}

/**
 * Returns the main part of a page: its main element or article, if there is exactly one and it is long enough.
 * Otherwise everything except navigation and similar elements.
 */
function mainPartOf(document: HtmlDocument): HtmlElement | null {
  for (const selector of ["main", "[role=main]", "article"]) {
    const [part, another] = Array.from(document.querySelectorAll(selector));
    if (part !== undefined && another === undefined && part.innerHTML.length > MIN_PART_CHARS) return part;
  }
  for (const element of Array.from(document.querySelectorAll("nav,footer,aside,form,dialog"))) element.remove();
  return document.body;
}

async function parse(html: string, base: string): Promise<HtmlDocument | undefined> {
  if (html.length > MAX_PARSED_CHARS || isTooDeep(html)) return undefined;
  const { createDocument } = await import("./create-document.ts");
  const document = await createDocument(html, MAX_PARSE_MS);
  if (document === undefined) return undefined;
  for (const element of Array.from(document.querySelectorAll("script,style,noscript,template,iframe,svg"))) {
    element.remove();
  }
  if (!isReadable(document)) return undefined;
  resolveLinks(document, base);
  return document;
}

async function toMarkdown(part: HtmlElement): Promise<string> {
  const { default: Turndown } = await import("turndown");
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  return turndown.turndown(part).trim();
}

/**
 * Returns the text of an HTML page: the main part as Markdown. Returns plain text if requested, or if the page is too
 * large or too deep to be parsed. Never rejects because of a page's content.
 */
export async function readPage(html: string, url: string, format: "markdown" | "text"): Promise<ReadPage> {
  const title = titleOf(html);
  const plain = (): ReadPage => ({ title, content: toPlainText(html) });
  if (format === "text") return plain();
  try {
    const document = await parse(html, url);
    if (document === undefined) return plain();
    const part = mainPartOf(document);
    const content = part === null ? "" : await toMarkdown(part);
    return content === "" ? plain() : { title, content };
  } catch {
    // The text of a page that the parser rejects can still be extracted.
    return plain();
  }
}
