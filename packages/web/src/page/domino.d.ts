// Its own typings name another module.
declare module "@mixmark-io/domino" {
  import type { HtmlDocument } from "./html-document.ts";

  export function createDocument(html: string): HtmlDocument;
}
