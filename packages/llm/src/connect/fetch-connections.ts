/** HTTP requests over dedicated connections. */
export interface FetchConnections {
  /** Makes a request. */
  readonly fetch: typeof globalThis.fetch;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}
