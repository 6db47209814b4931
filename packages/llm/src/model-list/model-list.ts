/** A model that a provider offers, as far as its list describes it. */
export interface OfferedModel {
  /** The vendor's model id. */
  readonly id: string;
  /** Human-readable name. */
  readonly displayName?: string | undefined;
  /** Maximum tokens of input and output together, or of the input alone at providers that limit them separately. */
  readonly contextWindow?: number | undefined;
  /** Maximum tokens of one response. */
  readonly maxOutput?: number | undefined;
}

/** One page of a provider's list of models. */
export interface ModelListPage {
  /** The models on the page. */
  readonly models: readonly OfferedModel[];
  /** Cursor of the next page; `undefined` on the last one. */
  readonly next?: string | undefined;
}

/** How one family of model APIs lists its models at `GET <base URL>/models`. */
export interface ModelList {
  /** Headers that authenticate the request. */
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  /** Query of a page, without its question mark; empty for none. */
  readonly query: (cursor: string | undefined) => string;
  /** Reads a page; `undefined` if the body is not a list of models. */
  readonly read: (body: unknown) => ModelListPage | undefined;
  /** Documentation of the endpoint. */
  readonly source: string;
}
