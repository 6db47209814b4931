import type { BudgetView, Publisher, RunCluster, RunStore } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { StartSessionOptions } from "@switchyard/runner";
import type { AuditLog } from "../audit/audit-log.ts";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import type { RateLimit } from "../guard/rate-limit.ts";
import type { TokenSet } from "../guard/token-set.ts";
import type { RequestLine } from "../http/request-line.ts";
import type { RunLine } from "../http/run-line.ts";
import type { OidcVerifier } from "../oidc/open-oidc.ts";
import type { OwnerQuota } from "../scheduler/owner-quota.ts";
import type { EventStreamOptions } from "../stream/event-streams.ts";
import type { WebhookOptions } from "../webhook/webhook-sender.ts";

/** Data about a run of a server, for functions that create an observer for each run. */
export interface ServedRun {
  /** Name of the engine that executes the run. */
  readonly engine: string;
  /** Reference of the model that the server uses. */
  readonly model?: string | undefined;
  /** The `traceparent` header sent by the caller. */
  readonly traceparent?: string | undefined;
}

/** Options for starting a server. */
export interface ServerOptions {
  /**
   * Engine that executes all runs, and related session options. `openSharedBudget` is called before a run acquires a
   * slot, a lease (the exclusive right to execute it) or an environment. If it rejects with `budget.too_many_runs`, the
   * run stays in the queue. It is tried again when another run has ended, or after about half a second.
   */
  readonly session: Pick<
    StartSessionOptions,
    "engine" | "engineName" | "model" | "secrets" | "createdBy" | "workspaceDiff" | "openSharedBudget"
  >;
  /**
   * State folder, which contains the run folders. Created if it does not exist. Workspaces are in a second folder next
   * to it, whose name ends in `-workspaces`.
   */
  readonly stateDirectory: string;
  /**
   * Store of the runs, for example a message broker shared by several servers. It is closed with the server. Default:
   * files in `stateDirectory`.
   */
  readonly store?: RunStore | undefined;
  /**
   * Cluster whose workers execute the runs, instead of this server. Its store replaces `store`. Closed with the server.
   * Default: none.
   */
  readonly cluster?: RunCluster | undefined;
  /**
   * Returns the quota of an owner: the share of run starts relative to other owners, and the limits. Default: equal
   * shares, and at most `maxRunsPerOwner` concurrent runs.
   */
  readonly quotaOf?: ((owner: string) => OwnerQuota) | undefined;
  /** Registers a function that must be called after the results of `quotaOf` have changed. Default: they never change. */
  readonly onQuotasChanged?: ((listener: () => void) => void) | undefined;
  /** Returns the environment configuration of a run, given the absolute local path of the run's workspace. */
  readonly openEnvironment: (workspace: string, signal: AbortSignal) => EnvironmentConfig;
  /**
   * Returns settings that the host needs to resume a run, and that are stored with the run; see
   * `StartSessionOptions.settings`. Default: none.
   */
  readonly settings?: ((workspace: string) => Readonly<Record<string, unknown>>) | undefined;
  /** Workspace that all runs share. Runs are then executed one at a time. Default: a new folder for each run. */
  readonly workspace?: string | undefined;
  /** Address to listen on. Addresses other than loopback require `tokens` or `oidc`. Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Port to listen on. Default: any free port. */
  readonly port?: number | undefined;
  /** Host names by which callers may address the server, in addition to the address on which it listens. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Tokens of callers. Without `tokens` and `oidc`, every local caller is allowed. */
  readonly tokens?: TokenSet | undefined;
  /** Verifier for tokens of an OpenID Connect provider, used for tokens that are not in `tokens`. Default: none. */
  readonly oidc?: OidcVerifier | undefined;
  /**
   * Audit log of all requests that need a token. While it cannot be written, such requests get a 503 response. The
   * caller of `startServer` closes the log after the server has stopped. Default: none.
   */
  readonly audit?: AuditLog | undefined;
  /** Maximum number of concurrent runs. Default: 4, or 1 with a `workspace`. */
  readonly concurrency?: number | undefined;
  /** Maximum number of concurrent runs of one owner. Default: `concurrency`. */
  readonly maxRunsPerOwner?: number | undefined;
  /** Maximum number of runs waiting in the queue. Default: 1,000. */
  readonly maxQueued?: number | undefined;
  /** Maximum number of runs of one owner waiting in the queue. Default: 100, or `maxQueued` if that is less. */
  readonly maxQueuedPerOwner?: number | undefined;
  /**
   * Whether runs that are unfinished when the server stops or crashes are resumed by the next server process. If false,
   * such runs end as `interrupted`. Queued runs are retained in either case. Default: false.
   */
  readonly resumeOnStart?: boolean | undefined;
  /**
   * Rate limit of each caller's requests. Default: 60 requests a minute with a burst of 20 if `tokens` or `oidc` is
   * set, otherwise unlimited.
   */
  readonly rateLimit?: RateLimit | undefined;
  /**
   * Called before a run of an owner is stored or resumed. Rejects, for example with `budget.day_exceeded`, if the owner
   * may start no run now. The request is then answered with this error. Default: every run is accepted.
   */
  readonly checkBudget?: ((owner: string) => Promise<void>) | undefined;
  /**
   * Returns the budget of an owner, which only callers with this owner can read. Default: owners have no budgets to
   * show.
   */
  readonly readBudget?: ((owner: string) => Promise<BudgetView | undefined>) | undefined;
  /** Options of event streams. */
  readonly streams?: EventStreamOptions | undefined;
  /** Webhooks called when runs end. Default: none. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Retention time of finished runs, in milliseconds. Default: unlimited. */
  readonly keepRunsMs?: number | undefined;
  /** Maximum number of finished runs to retain. The oldest are removed first. Default: unlimited. */
  readonly keepRuns?: number | undefined;
  /**
   * Maximum disk usage of finished runs, in bytes: run folders and workspaces on this machine, and data on the broker of
   * `cluster` or `store`. The oldest are removed first. Default: unlimited.
   */
  readonly keepRunsBytes?: number | undefined;
  /** Maximum number of connections. Reduced if the process's limit of file descriptors requires it. Default: 1,000. */
  readonly maxConnections?: number | undefined;
  /** Limits of connections by kind, address and caller. */
  readonly connections?: ConnectionOptions | undefined;
  /**
   * Rate limit of requests with an unknown token, per address. Requests above the limit get a 429 response. Requests
   * with a known token are not affected. Default: 30 a minute with a burst of 100.
   */
  readonly attemptLimit?: RateLimit | undefined;
  /** Maximum size of a request, in bytes. Default: 64 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Maximum duration of a run, in seconds. Also limits the timeout that a caller requests. Default: unlimited. */
  readonly maxRunSeconds?: number | undefined;
  /**
   * Time after which a request whose body stops arriving is rejected, in milliseconds. After this time, a request is
   * also rejected if its body arrives at less than 500 bytes per second. Default: 30,000.
   */
  readonly bodyIdleMs?: number | undefined;
  /** Time limit for receiving a whole request, in milliseconds. Default: 300,000. */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Creates an observer of a run's events, such as a tracer. The argument includes the caller's trace context. Errors
   * of the observer do not affect the run.
   */
  readonly observe?: ((run: ServedRun) => Publisher) | undefined;
  /**
   * Receives log lines. Each request is logged when it is answered. A run whose caller does not wait for the result is
   * also logged when the run ends.
   */
  readonly log?: ((line: RequestLine | RunLine) => void) | undefined;
  /** Called for errors of the server itself, for diagnostics. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Monotonic clock for limits, in milliseconds. Default: the process's clock. */
  readonly monotonic?: (() => number) | undefined;
}
