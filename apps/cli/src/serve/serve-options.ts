import type { RunCommandOptions } from "../run/run-command-options.ts";

/** Options of the command `serve`. */
export interface ServeOptions
  extends Omit<RunCommandOptions, "prompt" | "input" | "output" | "events" | "json" | "maxTurns" | "askUser"> {
  /** Address to listen on. */
  host?: string;
  /** Port to listen on. */
  port: number;
  /** File with the tokens of API callers. */
  tokens?: string;
  /** File with the OpenID Connect provider whose tokens are accepted. */
  oidc?: string;
  /** File to which requests are logged for audits. */
  auditLog?: string;
  /** Host names by which callers may address the server. */
  allowHost?: string[];
  /** Maximum number of connections. */
  maxConnections?: number;
  /** Addresses and networks of trusted reverse proxies. */
  trustProxy?: string[];
  /** URL of the queue whose workers execute the runs. */
  queue?: string;
  /** Maximum number of concurrent runs. */
  concurrency?: number;
  /** File with the weights and limits of owners. */
  owners?: string;
  /** Maximum number of concurrent runs of one owner. */
  maxRunsPerOwner?: number;
  /** Maximum number of runs of one owner that start on one day. */
  maxRunsPerDay?: number;
  /** Maximum number of queued runs. */
  maxQueue?: number;
  /** Maximum number of queued runs of one owner. */
  maxQueuePerOwner?: number;
  /** Maximum number of requests per minute, for each caller. */
  rateLimit?: number;
  /** Whether to resume unfinished runs when the server starts. */
  resumeOnStart?: boolean;
  /** Time for which runs are retained after they have ended, in seconds. */
  keep?: number;
  /** Maximum number of ended runs that are retained. */
  keepRuns?: number;
  /** Maximum total size of ended runs that are retained, in bytes. */
  keepSize?: number;
  /** File with the secret that signs webhooks. */
  webhookSecret?: string;
  /** Whether webhook URLs may point to private networks. */
  webhookPrivate?: boolean;
  /** Maximum size of a request, in bytes. */
  maxBody?: number;
}
