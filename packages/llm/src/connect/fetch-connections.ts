/** HTTP requests over dedicated connections. */
export interface FetchConnections {
  /** Performs a request. */
  readonly fetch: typeof globalThis.fetch;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}
