import type { HtmlDocument, HtmlElement } from "./html-document.ts";
import { isReadable } from "./is-readable.ts";
import { toPlainText } from "./plain-text.ts";

/** Characters of HTML that are parsed; a tree of more costs too much time and memory. */
const MAX_PARSED_CHARS = 1024 * 1024;
/** Time that parsing a page may take, in milliseconds. */
const MAX_PARSE_MS = 2_000;
/** Tags within each other, as far as can be told without a parser. */
const MAX_OPEN_TAGS = 8_000;

/** A shorter main part is a placeholder, which scripts would fill. */
const MIN_PART_CHARS = 200;

/** A page as an agent reads it. */
export interface ReadPage {
  /** Title, where it has one. */
  readonly title?: string | undefined;
  /** Its text. */
  readonly content: string;
}

/** Upper bound of how deeply the elements of a page are nested, as far as its tags tell. */
function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, slash] of html.matchAll(/<(\/?)[a-z]/gi)) {
    depth += slash === "/" ? -1 : 1;
    if (depth < 0) depth = 0;
    // Elements without an end tag count as well: that only means that a page is read more simply.
    if (depth > MAX_OPEN_TAGS) return true;
  }
  return false;
}

function titleOf(html: string): string | undefined {
  const title = /<title[^>]{0,1000}>([^<]{1,1000})/i.exec(html.slice(0, 100_000))?.[1];
  const text = title === undefined ? "" : toPlainText(title).replace(/\s+/g, " ");
  return text === "" ? undefined : text;
}

/** Turns links and pictures into whole addresses: the reader does not know where the page stood. */
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

/** The part of a page that it is about: its one main part or article where it has one, else all but what stands round it. */
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
 * The text of an HTML page: as Markdown, without what stands round its main part; as plain text where that is asked
 * for, or where the page is too large or too deep to be parsed. Never rejects for anything a page says.
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
    // A page that the parser does not get along with still has a text.
    return plain();
  }
}
