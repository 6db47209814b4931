import type { ConnectionOptions } from "./connection-options.ts";

/** Default maximum number of connections of all kinds together. */
const MAX_CONNECTIONS = 1_000;
/**
 * Divisor for default limits. Unauthenticated connections may use a quarter of all connections, and one address a
 * quarter of the unauthenticated ones.
 */
const SHARE = 4;
const MAX_PER_CALLER = 200;
/**
 * Maximum number of connections that are briefly accepted above the limits. Many legitimate clients may connect at the
 * same time.
 */
const MAX_BURST = 512;
/** Minimum number of file descriptors reserved for runs. By default, a quarter of the process's limit is reserved. */
const MIN_RESERVED_FILES = 64;

/** Limits of a server's connections. */
export interface ConnectionLimits {
  /** Maximum number of connections with an authenticated request. */
  readonly maxAuthenticated: number;
  /** Maximum number of authenticated connections of one caller. */
  readonly maxPerCaller: number;
  /** Maximum number of open connections without an authenticated request. */
  readonly maxUnauthenticated: number;
  /** Maximum number of unauthenticated connections of one address. */
  readonly maxPerAddress: number;
  /**
   * Maximum number of connections above these limits that are accepted for a short time, so that new clients can send a
   * request.
   */
  readonly maxBurst: number;
  /** Number of open connections at which the listening socket rejects new connections. */
  readonly maxAccepted: number;
}

/** Inputs from which the limits are computed. */
export interface LimitBasis extends ConnectionOptions {
  /** Maximum number of connections. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** True if callers are distinguished by tokens. */
  readonly hasTokens: boolean;
  /** Maximum number of file descriptors of the process. `undefined` if unknown. */
  readonly openFiles: number | undefined;
}

/**
 * Returns the connection limits of a server. Their sum stays below the process's limit of file descriptors, so that a
 * full server can still open the files of its runs.
 */
export function connectionLimitsOf(basis: LimitBasis): ConnectionLimits {
  const { maxConnections = MAX_CONNECTIONS, openFiles, hasTokens } = basis;
  const reserved = Math.max(MIN_RESERVED_FILES, Math.floor((openFiles ?? 0) / SHARE));
  const room = openFiles === undefined ? Infinity : openFiles - reserved;
  // If few file descriptors are available, reserves half of them for bursts of connections.
  const total = Math.max(2, Math.min(maxConnections, Math.max(room - MAX_BURST, Math.floor(room / 2))));
  const maxBurst = Math.min(MAX_BURST, total);
  const maxUnauthenticated = Math.min(basis.maxUnauthenticated ?? Math.ceil(total / SHARE), total - 1);
  const maxAuthenticated = total - maxUnauthenticated;
  // Without tokens, all callers are local and count as a single caller.
  const maxPerCaller = basis.maxPerCaller ?? (hasTokens ? MAX_PER_CALLER : maxAuthenticated);
  return {
    maxAuthenticated,
    maxPerCaller: Math.min(maxPerCaller, maxAuthenticated),
    maxUnauthenticated,
    maxPerAddress: Math.min(basis.maxPerAddress ?? Math.ceil(maxUnauthenticated / SHARE), maxUnauthenticated),
    maxBurst,
    maxAccepted: total + maxBurst,
  };
}
