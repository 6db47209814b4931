// Its own typings name another module.
declare module "@mixmark-io/domino" {
  import type { HtmlDocument } from "./html-document.ts";

  /** A parser that works in slices. */
  export interface IncrementalParser {
    end(html: string): void;
    /** Parses until `shouldPause` returns true. Returns whether there is more to parse. */
    process(shouldPause: () => boolean): boolean;
    document(): HtmlDocument;
  }

  export function createIncrementalHTMLParser(): IncrementalParser;
}
