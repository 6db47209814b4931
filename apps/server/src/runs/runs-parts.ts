import type { IncomingMessage } from "node:http";
import type { RunStore } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { ClusterView } from "../cluster/cluster-view.ts";
import type { RunIndex } from "../listing/run-index.ts";
import type { ServerMetrics } from "../metrics/create-metrics.ts";
import type { CallOutcome } from "../run/call-outcome.ts";
import type { RunExecutor, RunSlot } from "../run/run-executor.ts";
import type { RunScheduler } from "../scheduler/run-scheduler.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { EventStreams } from "../stream/event-streams.ts";
import type { WebhookSender } from "../webhook/webhook-sender.ts";
import type { KeyedLock } from "./keyed-lock.ts";
import type { RunDispatcher } from "./run-dispatcher.ts";

/**
 * Reads a `POST /v1/run` request, executes its run in this process or on a worker of the cluster, and resolves with the
 * outcome. Rejects if the run cannot start.
 */
export type ExecuteCall = (
  request: IncomingMessage,
  call: { readonly slot: RunSlot; readonly owner: string },
  parts: RunsParts,
) => Promise<CallOutcome>;

/** Parts of a server that the runs API uses. */
export interface RunsParts {
  /** Options of the server. */
  readonly options: ServerOptions;
  /** Store of the server's runs. */
  readonly store: RunStore;
  /** Index of the store's runs, for lists. */
  readonly index: RunIndex;
  /** Executor of active runs. */
  readonly executor: RunExecutor;
  /** Scheduler of waiting runs. */
  readonly scheduler: RunScheduler;
  /** Dispatcher of queued runs. */
  readonly dispatcher: RunDispatcher;
  /** Executes a run whose caller waits for the result in the response. */
  readonly executeCall: ExecuteCall;
  /** What this server knows about its cluster. `undefined` if it executes the runs itself. */
  readonly view: ClusterView | undefined;
  /** Event streams. */
  readonly streams: EventStreams;
  /** Metrics. */
  readonly metrics: ServerMetrics;
  /** Webhook sender. `undefined` if webhooks are not configured. */
  readonly webhooks: WebhookSender | undefined;
  /** Locks that serialise operations on a run. */
  readonly locks: KeyedLock;
  /** Masks secrets. */
  readonly masker: Masker;
  /** Aborts, with an error as reason, when the server stops accepting requests. */
  readonly closing: AbortSignal;
}
