import type { ConnectionOptions } from "./connection-options.ts";

/** Default maximum number of connections of all kinds together. */
const MAX_CONNECTIONS = 1_000;
/** Unauthenticated connections get a quarter of the total, and one address a quarter of that. */
const SHARE = 4;
const MAX_PER_CALLER = 200;
/**
 * Maximum number of connections accepted briefly above the limits, because clients that connect simultaneously are not
 * an attack.
 */
const MAX_BURST = 512;
/** Minimum number of open files reserved for runs; the reserve is otherwise a quarter of the process's limit. */
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
  /** Number of additional unauthenticated connections that are kept until they have had time to send a request. */
  readonly maxBurst: number;
  /** Number of connections at which the listening socket rejects new ones. */
  readonly maxAccepted: number;
}

/** Inputs from which the limits are computed. */
export interface LimitBasis extends ConnectionOptions {
  /** Maximum number of connections. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** True if callers are distinguished by tokens. */
  readonly hasTokens: boolean;
  /** Maximum number of open files of the process. `undefined`: unknown. */
  readonly openFiles: number | undefined;
}

/**
 * Returns the limits of a server. Their sum stays below the process's open file limit, so that a full server can still
 * open the files of its runs.
 */
export function connectionLimitsOf(basis: LimitBasis): ConnectionLimits {
  const { maxConnections = MAX_CONNECTIONS, openFiles, hasTokens } = basis;
  const reserved = Math.max(MIN_RESERVED_FILES, Math.floor((openFiles ?? 0) / SHARE));
  const room = openFiles === undefined ? Infinity : openFiles - reserved;
  // If few files are available, half of them are for bursts.
  const total = Math.max(2, Math.min(maxConnections, Math.max(room - MAX_BURST, Math.floor(room / 2))));
  const maxBurst = Math.min(MAX_BURST, total);
  const maxUnauthenticated = Math.min(basis.maxUnauthenticated ?? Math.ceil(total / SHARE), total - 1);
  const maxAuthenticated = total - maxUnauthenticated;
  // Without tokens all callers count as one: this machine.
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
