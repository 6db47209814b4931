import { createDocument as createDominoDocument } from "@mixmark-io/domino";
import type { HtmlDocument } from "./html-document.ts";

/** A document of HTML text; nothing in it runs, and nothing is loaded. */
export function createDocument(html: string): HtmlDocument {
  return createDominoDocument(html);
}
