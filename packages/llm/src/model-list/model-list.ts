/** A model that a provider offers, with the properties that the provider's model list states. */
export interface OfferedModel {
  /** The vendor's model id. */
  readonly id: string;
  /** Human-readable name. */
  readonly displayName?: string | undefined;
  /** Maximum tokens of input and output together, or of the input alone if the provider limits them separately. */
  readonly contextWindow?: number | undefined;
  /** Maximum tokens of one response. */
  readonly maxOutput?: number | undefined;
}

/** One page of a provider's model list. */
export interface ModelListPage {
  /** Models on the page. */
  readonly models: readonly OfferedModel[];
  /** Cursor of the next page. `undefined` on the last page. */
  readonly next?: string | undefined;
}

/** Format of the model list endpoint (`GET <base URL>/models`) of an API family. */
export interface ModelList {
  /** Returns the headers that authenticate the request. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Returns the URL query that requests a page, without question mark. Empty if no query is needed. */
  readonly query: (cursor: string | undefined) => string;
  /** Parses a page. `undefined` if the body is not a model list. */
  readonly read: (body: unknown) => ModelListPage | undefined;
  /** Documentation of the endpoint. */
  readonly source: string;
}
