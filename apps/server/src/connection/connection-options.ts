/** Connection limits, in addition to `maxConnections`. */
export interface ConnectionOptions {
  /**
   * Maximum number of connections without an authenticated request. At the limit, the server closes the oldest idle
   * connection of the address with the most connections. Authenticated connections are not closed for unauthenticated
   * ones. Default: a quarter of `maxConnections`.
   */
  readonly maxUnauthenticated?: number | undefined;
  /**
   * Maximum number of unauthenticated connections of one address. An IPv6 address counts as its /64 network. Default: a
   * quarter of `maxUnauthenticated`.
   */
  readonly maxPerAddress?: number | undefined;
  /** Maximum number of authenticated connections of one caller. Default: 200 with tokens, unlimited without. */
  readonly maxPerCaller?: number | undefined;
  /**
   * Addresses or networks (CIDR) of trusted reverse proxies. Connections of a proxy are not limited by address, and its
   * `X-Forwarded-For` header names the client. Default: none, and the header is ignored.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * Time after which a client is disconnected if it reads nothing although response data is available, in milliseconds.
   * Default: 30,000.
   */
  readonly responseIdleMs?: number | undefined;
}
