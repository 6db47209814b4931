/** Connection limits, in addition to `maxConnections`. */
export interface ConnectionOptions {
  /**
   * Maximum number of connections without an authenticated request. When it is reached, the oldest idle connection of
   * the address with the most is closed. They never displace authenticated ones. Default: a quarter of
   * `maxConnections`.
   */
  readonly maxUnauthenticated?: number | undefined;
  /**
   * Maximum number of unauthenticated connections of one address; an IPv6 address counts as its /64 network. Default: a
   * quarter of `maxUnauthenticated`.
   */
  readonly maxPerAddress?: number | undefined;
  /** Maximum number of authenticated connections of one caller. Default: 200 with tokens, unlimited without. */
  readonly maxPerCaller?: number | undefined;
  /**
   * Addresses or networks (CIDR) of reverse proxies. Their connections are not limited by address, and their
   * `X-Forwarded-For` names the client. Default: none, and the header is ignored.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Maximum time in which a client reads nothing of an available response, in milliseconds. Default: 30,000. */
  readonly responseIdleMs?: number | undefined;
}
