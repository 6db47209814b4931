import type { HtmlDocument, HtmlNode } from "./html-document.ts";
import { toPlainText } from "./plain-text.ts";

/** Characters of HTML that are parsed; a tree of more costs too much time and memory. */
const MAX_PARSED_CHARS = 1024 * 1024;
/** Levels of elements that are parsed; what works on a tree calls itself once for each. */
const MAX_DEPTH = 400;

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
    if (depth > 20 * MAX_DEPTH) return true;
  }
  return false;
}

function titleOf(html: string): string | undefined {
  const title = /<title[^>]{0,1000}>([^<]{1,1000})/i.exec(html.slice(0, 100_000))?.[1];
  const text = title === undefined ? "" : toPlainText(title).replace(/\s+/g, " ");
  return text === "" ? undefined : text;
}

function depthOf(root: HtmlNode): number {
  let level: HtmlNode[] = [root];
  for (let depth = 0; ; depth += 1) {
    const below = level.flatMap((node) => Array.from(node.childNodes));
    if (below.length === 0 || depth > MAX_DEPTH) return depth;
    level = below;
  }
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
function mainPartOf(document: HtmlDocument): string {
  for (const selector of ["main", "[role=main]", "article"]) {
    const [part, another] = Array.from(document.querySelectorAll(selector));
    if (part !== undefined && another === undefined && part.innerHTML.length > MIN_PART_CHARS) return part.innerHTML;
  }
  for (const element of Array.from(document.querySelectorAll("nav,footer,aside,form,dialog"))) element.remove();
  return document.body?.innerHTML ?? "";
}

async function parse(html: string, base: string): Promise<HtmlDocument | undefined> {
  if (html.length > MAX_PARSED_CHARS || isTooDeep(html)) return undefined;
  const { createDocument } = await import("./create-document.ts");
  const document = createDocument(html);
  if (depthOf(document) > MAX_DEPTH) return undefined;
  for (const element of Array.from(document.querySelectorAll("script,style,noscript,template,iframe,svg"))) {
    element.remove();
  }
  resolveLinks(document, base);
  return document;
}

async function toMarkdown(html: string): Promise<string> {
  const { default: Turndown } = await import("turndown");
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  return turndown.turndown(html).trim();
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
    const content = await toMarkdown(mainPartOf(document));
    return content === "" ? plain() : { title, content };
  } catch {
    // A page that the parser does not get along with still has a text.
    return plain();
  }
}
