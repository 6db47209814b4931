import type { RunOptions } from "../run/run-options.ts";

/** Options of the command `serve`. */
export interface ServeOptions
  extends Omit<RunOptions, "prompt" | "input" | "output" | "events" | "json" | "maxTurns" | "askUser"> {
  /** Address to listen on. */
  host?: string;
  /** Port to listen on. */
  port: number;
  /** File with the tokens of its callers. */
  tokens?: string;
  /** Names by which it may be addressed. */
  allowHost?: string[];
  /** Maximum number of connections. */
  maxConnections?: number;
  /** Addresses and networks of reverse proxies. */
  trustProxy?: string[];
  /** Most runs at once. */
  concurrency?: number;
  /** Most runs that wait. */
  maxQueue?: number;
  /** Requests a minute of one caller. */
  rateLimit?: number;
  /** Whether runs that were cut off go on. */
  resumeOnStart?: boolean;
  /** Seconds for which runs are kept. */
  keep?: number;
  /** Runs that are kept. */
  keepRuns?: number;
  /** Bytes of runs that are kept. */
  keepSize?: number;
  /** File with what webhooks are signed with. */
  webhookSecret?: string;
  /** Whether webhooks may lead into private networks. */
  webhookPrivate?: boolean;
  /** Most bytes of a request. */
  maxBody?: number;
}
