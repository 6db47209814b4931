/** Used part of an HTML node, which the platform's types lack. */
export interface HtmlNode {
  readonly childNodes: ArrayLike<HtmlNode>;
  /** Name of an element in upper case, or `#text` and similar. */
  readonly nodeName: string;
}

/** Used part of an element. */
export interface HtmlElement extends HtmlNode {
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/** Used part of a document. */
export interface HtmlDocument extends HtmlNode {
  readonly body: HtmlElement | null;
  querySelectorAll(selector: string): ArrayLike<HtmlElement>;
}
