import type { RunCommandOptions } from "../run/run-command-options.ts";

/** Options of the command `serve`. */
export interface ServeOptions
  extends Omit<RunCommandOptions, "prompt" | "input" | "output" | "events" | "json" | "maxTurns" | "askUser"> {
  /** Address to listen on. */
  host?: string;
  /** Port to listen on. */
  port: number;
  /** File with the tokens of callers. */
  tokens?: string;
  /** Host names by which callers may address the server. */
  allowHost?: string[];
  /** Maximum number of connections. */
  maxConnections?: number;
  /** Addresses and networks of trusted reverse proxies. */
  trustProxy?: string[];
  /** Maximum number of concurrent runs. */
  concurrency?: number;
  /** Maximum number of queued runs. */
  maxQueue?: number;
  /** Maximum requests per minute and caller. */
  rateLimit?: number;
  /** Whether to resume unfinished runs at the start. */
  resumeOnStart?: boolean;
  /** Time for which ended runs are retained, in seconds. */
  keep?: number;
  /** Maximum number of ended runs that are retained. */
  keepRuns?: number;
  /** Maximum total size of ended runs that are retained, in bytes. */
  keepSize?: number;
  /** File with the secret that signs webhooks. */
  webhookSecret?: string;
  /** Whether webhooks may target private networks. */
  webhookPrivate?: boolean;
  /** Maximum size of a request, in bytes. */
  maxBody?: number;
}
