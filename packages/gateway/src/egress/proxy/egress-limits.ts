/** Limits of an egress proxy. They bound what a slow or hostile client can use. */
export interface EgressLimits {
  /** Maximum number of open connections of the environment. Default: 256. */
  readonly maxConnections: number;
  /** Maximum size of the headers of a request, in bytes. Default: 16,384. */
  readonly maxHeaderBytes: number;
  /**
   * Maximum time until the headers of a request, or the start of TLS in a tunnel, are complete, in milliseconds.
   * Default: 10,000.
   */
  readonly handshakeTimeoutMs: number;
  /** Maximum time to resolve a name and to connect, in milliseconds. Default: 10,000. */
  readonly connectTimeoutMs: number;
  /** Maximum time without data in either direction, in milliseconds. Default: 300,000. */
  readonly idleTimeoutMs: number;
  /** Maximum number of bytes that the environment may send and receive in total. Default: unlimited. */
  readonly maxBytes: number;
}

/** Default limits. */
export const EGRESS_LIMITS: EgressLimits = {
  maxConnections: 256,
  maxHeaderBytes: 16_384,
  handshakeTimeoutMs: 10_000,
  connectTimeoutMs: 10_000,
  idleTimeoutMs: 300_000,
  maxBytes: Number.POSITIVE_INFINITY,
};
