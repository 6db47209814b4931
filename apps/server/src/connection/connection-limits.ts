import type { ConnectionOptions } from "./connection-options.ts";

/** Connections that a server holds at once, all kinds together. */
const MAX_CONNECTIONS = 1_000;
/** Unauthenticated connections get a quarter of all, and one address a quarter of these. */
const SHARE = 4;
const MAX_PER_CALLER = 200;
/** Connections above the limits that are accepted for a moment: clients that connect together are no attack. */
const MAX_BURST = 512;
/** Files that stay free for runs: a quarter of those that the process may open, and at least so many. */
const MIN_RESERVED_FILES = 64;

/** Limits of a server's connections. */
export interface ConnectionLimits {
  /** Maximum number of connections with an authenticated request. */
  readonly maxAuthenticated: number;
  /** Maximum number of authenticated connections of one caller. */
  readonly maxPerCaller: number;
  /** Maximum number of connections that stay open without an authenticated request. */
  readonly maxUnauthenticated: number;
  /** Maximum number of those of one address. */
  readonly maxPerAddress: number;
  /** Number of further unauthenticated connections that are held until they have had time to send a request. */
  readonly maxBurst: number;
  /** Number of connections at which the listening socket refuses further ones. */
  readonly maxAccepted: number;
}

/** What the limits depend on. */
export interface LimitBasis extends ConnectionOptions {
  /** Maximum number of connections. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** Whether callers are told apart by tokens. */
  readonly hasTokens: boolean;
  /** Number of files that the process may open. `undefined`: not known. */
  readonly openFiles: number | undefined;
}

/**
 * Returns the limits of a server. Their sum stays below the number of files that the process may open, so that a full
 * server can still open the files of its runs.
 */
export function connectionLimitsOf(basis: LimitBasis): ConnectionLimits {
  const { maxConnections = MAX_CONNECTIONS, openFiles, hasTokens } = basis;
  const reserved = Math.max(MIN_RESERVED_FILES, Math.floor((openFiles ?? 0) / SHARE));
  const room = openFiles === undefined ? Infinity : openFiles - reserved;
  // Half of a small room is for bursts.
  const total = Math.max(2, Math.min(maxConnections, Math.max(room - MAX_BURST, Math.floor(room / 2))));
  const maxBurst = Math.min(MAX_BURST, total);
  const maxUnauthenticated = Math.min(basis.maxUnauthenticated ?? Math.ceil(total / SHARE), total - 1);
  const maxAuthenticated = total - maxUnauthenticated;
  // Without tokens all callers are one: this machine.
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
