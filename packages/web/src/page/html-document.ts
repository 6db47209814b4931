/** What is used of a node of a page; the platform has no such types. */
export interface HtmlNode {
  readonly childNodes: ArrayLike<HtmlNode>;
  /** Name of an element in capitals, or `#text` and the like. */
  readonly nodeName: string;
}

/** What is used of an element. */
export interface HtmlElement extends HtmlNode {
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/** What is used of a document. */
export interface HtmlDocument extends HtmlNode {
  readonly body: HtmlElement | null;
  querySelectorAll(selector: string): ArrayLike<HtmlElement>;
}
