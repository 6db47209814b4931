/** A `fetch` function with a dedicated set of connections. */
export interface FetchConnections {
  /** Performs a request. */
  readonly fetch: typeof globalThis.fetch;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}
