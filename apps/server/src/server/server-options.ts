import type { Publisher, RunStore } from "@switchyard/contracts";
import type { EnvironmentConfig } from "@switchyard/environment";
import type { StartSessionOptions } from "@switchyard/runner";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import type { RateLimit } from "../guard/rate-limit.ts";
import type { TokenSet } from "../guard/token-set.ts";
import type { RequestLine } from "../http/request-line.ts";
import type { RunLine } from "../http/run-line.ts";
import type { EventStreamOptions } from "../stream/event-streams.ts";
import type { WebhookOptions } from "../webhook/webhook-sender.ts";

/** A run of a server, for those who watch all of them. */
export interface ServedRun {
  /** Name of its engine. */
  readonly engine: string;
  /** Model reference that the server was started with. */
  readonly model?: string | undefined;
  /** Header of that name, as the caller sent it. */
  readonly traceparent?: string | undefined;
}

/** What a server is started with. */
export interface ServerOptions {
  /** The engine that all runs use, and what goes with it. */
  readonly session: Pick<StartSessionOptions, "engine" | "engineName" | "model" | "secrets" | "createdBy">;
  /** Folder that holds the run folders; made when it is missing. The workspaces are in a folder beside it, `…-workspaces`. */
  readonly stateDirectory: string;
  /** Keeps the runs, such as a broker that several servers share; files in `stateDirectory` by default. Closed with the server. */
  readonly store?: RunStore | undefined;
  /** Where the files and processes of a run live, given the absolute path of its workspace on this machine. */
  readonly openEnvironment: (workspace: string, signal: AbortSignal) => EnvironmentConfig;
  /** What the host itself keeps with a run to go on with it; see `StartSessionOptions.settings`. Nothing by default. */
  readonly settings?: ((workspace: string) => Readonly<Record<string, unknown>>) | undefined;
  /** The one workspace of all runs, one after the other; by default every run gets a new folder of its own. */
  readonly workspace?: string | undefined;
  /** Address to listen on; `127.0.0.1` by default. Beyond loopback `tokens` are needed. */
  readonly host?: string | undefined;
  /** Port to listen on; any free one by default. */
  readonly port?: number | undefined;
  /** Names by which callers may address the server, beside its own address. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Who may call it; everybody who reaches it by default, which is this machine. */
  readonly tokens?: TokenSet | undefined;
  /** Most runs at once; 4 by default, and 1 with a `workspace`. */
  readonly concurrency?: number | undefined;
  /** Most runs of one owner at once; as many as there are by default. */
  readonly maxRunsPerOwner?: number | undefined;
  /** Most runs that wait; 1,000 by default. */
  readonly maxQueued?: number | undefined;
  /** Most runs of one owner that wait; 100 by default. */
  readonly maxQueuedPerOwner?: number | undefined;
  /**
   * Whether runs that were cut off with an earlier server go on when this one starts, and those that this one has to
   * stop go on with the next; false by default: they are `interrupted` then. Those that only waited always go on.
   */
  readonly resumeOnStart?: boolean | undefined;
  /** How many requests a caller may send; 60 a minute, 20 at once by default where there are tokens, else without limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** How events are streamed. */
  readonly streams?: EventStreamOptions | undefined;
  /** How others are told of the ends of runs; not at all by default. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Milliseconds for which runs of callers are kept when they are over; for good by default. */
  readonly keepRunsMs?: number | undefined;
  /** Most runs of callers that are kept when they are over, the newest; all by default. */
  readonly keepRuns?: number | undefined;
  /** Most bytes that kept runs of callers have on disk, workspaces included, the newest first; no limit by default. */
  readonly keepRunsBytes?: number | undefined;
  /**
   * Maximum number of connections. Lowered if the process may not open so many files. Default: 1,000.
   */
  readonly maxConnections?: number | undefined;
  /** Limits of connections by their kind, address and caller. */
  readonly connections?: ConnectionOptions | undefined;
  /**
   * How many requests with an unknown token an address may send before they are answered with 429. Requests with a
   * known token are not affected. Default: 30 a minute, 100 at once.
   */
  readonly attemptLimit?: RateLimit | undefined;
  /** Most bytes of a request; 64 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** Most seconds of a run, whatever its input says; no limit by default. */
  readonly maxRunSeconds?: number | undefined;
  /**
   * Maximum time in which nothing of a request's body arrives, in milliseconds. A body that arrives at less than 500
   * bytes a second is refused after this time too. Default: 30,000.
   */
  readonly bodyIdleMs?: number | undefined;
  /** Most milliseconds until a whole request has arrived; 300,000 by default. */
  readonly requestTimeoutMs?: number | undefined;
  /** Makes what is told of the events of a run, such as a tracer; the span that the caller is in comes with a call. What it does cannot harm the run. */
  readonly observe?: ((run: ServedRun) => Publisher) | undefined;
  /** Told of every request when it is answered, and of every run that nobody waited for when it is over. */
  readonly log?: ((line: RequestLine | RunLine) => void) | undefined;
  /** Told of what went wrong in the server itself, for diagnostics. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Wall clock, in milliseconds since 1970; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
  /** Measures time for limits, in milliseconds; the process's own clock by default. */
  readonly monotonic?: (() => number) | undefined;
}
