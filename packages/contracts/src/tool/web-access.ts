/** What is fetched, and how. */
export interface WebFetchOptions {
  /** Ends the fetch when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** `markdown` (default) and `text` convert HTML, `raw` gives the text as it came. */
  readonly format?: "markdown" | "text" | "raw" | undefined;
}

/** A page of the web as an agent reads it. */
export interface WebPage {
  /** Where it came from in the end, redirects followed. */
  readonly url: string;
  /** HTTP status. */
  readonly status: number;
  /** MIME type without parameters, in lower case. */
  readonly mediaType: string;
  /** Title, where the page has one. */
  readonly title?: string | undefined;
  /** Text of the page in the format that was asked for. */
  readonly content: string;
  /** Whether the page was longer than what was read of it. */
  readonly truncated: boolean;
}

/**
 * Fetches pages of the web for an agent. Contract: reads only, sends no credentials, and reaches no address that only
 * this machine or its network reaches unless its maker was told to; every failure is an `EngineError`.
 */
export interface WebFetcher {
  /** One page. */
  fetch(url: string, options?: WebFetchOptions): Promise<WebPage>;
}

/** One hit of a search. */
export interface WebSearchResult {
  /** Title of the page. */
  readonly title: string;
  /** Address of the page. */
  readonly url: string;
  /** Some words of the page. */
  readonly snippet?: string | undefined;
}

/** How a search is limited. */
export interface WebSearchOptions {
  /** Most hits. */
  readonly maxResults?: number | undefined;
  /** Ends the search when it fires. */
  readonly signal?: AbortSignal | undefined;
}

/** Searches the web for an agent. Contract: like that of `WebFetcher`. */
export interface WebSearcher {
  /** Hits for a query, the best first. */
  search(query: string, options?: WebSearchOptions): Promise<readonly WebSearchResult[]>;
}
