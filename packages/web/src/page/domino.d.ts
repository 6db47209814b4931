// Declared here, because the package's own typings declare a module of another name.
declare module "@mixmark-io/domino" {
  import type { HtmlDocument } from "./html-document.ts";

  /** HTML parser that parses a document in several steps. */
  export interface IncrementalParser {
    end(html: string): void;
    /** Parses until `shouldPause` returns true. Returns whether there is more to parse. */
    process(shouldPause: () => boolean): boolean;
    document(): HtmlDocument;
  }

  export function createIncrementalHTMLParser(): IncrementalParser;
}
