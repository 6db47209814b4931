/** Options for `WebFetcher.fetch`. */
export interface WebFetchOptions {
  /** Cancels the fetch when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Format of the content. `markdown` (default) and `text` convert HTML; `raw` returns the text unchanged. */
  readonly format?: "markdown" | "text" | "raw" | undefined;
}

/** A fetched web page. */
export interface WebPage {
  /** Final URL, after redirects. */
  readonly url: string;
  /** HTTP status. */
  readonly status: number;
  /** MIME type without parameters, in lower case. */
  readonly mediaType: string;
  /** Title of the page. `undefined` if the page has no title. */
  readonly title?: string | undefined;
  /** Text of the page in the requested format. */
  readonly content: string;
  /** True if the page was too long and only its beginning was read. */
  readonly truncated: boolean;
}

/**
 * Fetches web pages for an agent. Contract: only reads, and sends no credentials. Rejects addresses of private networks
 * unless configured to allow them. Every failure is an `EngineError`.
 */
export interface WebFetcher {
  /** Fetches a page. */
  fetch(url: string, options?: WebFetchOptions): Promise<WebPage>;
}

/** A search result. */
export interface WebSearchResult {
  /** Title of the page. */
  readonly title: string;
  /** URL of the page. */
  readonly url: string;
  /** Excerpt of the page. */
  readonly snippet?: string | undefined;
}

/** Options for `WebSearcher.search`. */
export interface WebSearchOptions {
  /** Maximum number of results. */
  readonly maxResults?: number | undefined;
  /** Cancels the search when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** Searches the web for an agent. Contract: the same as the contract of `WebFetcher`. */
export interface WebSearcher {
  /** Resolves with the results for a query, best first. */
  search(query: string, options?: WebSearchOptions): Promise<readonly WebSearchResult[]>;
}
