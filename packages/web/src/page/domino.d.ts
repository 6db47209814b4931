// Its own typings name another module.
declare module "@mixmark-io/domino" {
  import type { HtmlDocument } from "./html-document.ts";

  /** A parser that works in slices. */
  export interface IncrementalParser {
    end(html: string): void;
    /** Works until it is told to pause; says whether there is more to do. */
    process(shouldPause: () => boolean): boolean;
    document(): HtmlDocument;
  }

  export function createIncrementalHTMLParser(): IncrementalParser;
}
