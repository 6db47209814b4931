/** Members of an HTML node that this package uses. Node's types do not include HTML nodes. */
export interface HtmlNode {
  readonly childNodes: ArrayLike<HtmlNode>;
  /** Name of an element in upper case, or `#text` and similar. */
  readonly nodeName: string;
}

/** Members of an HTML element that this package uses. */
export interface HtmlElement extends HtmlNode {
  readonly innerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/** Members of an HTML document that this package uses. */
export interface HtmlDocument extends HtmlNode {
  readonly body: HtmlElement | null;
  querySelectorAll(selector: string): ArrayLike<HtmlElement>;
}
