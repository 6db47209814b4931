import type { RunStore } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";
import type { ServerMetrics } from "../metrics/create-metrics.ts";
import type { RunExecutor } from "../run/run-executor.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { EventStreams } from "../stream/event-streams.ts";
import type { WebhookSender } from "../webhook/webhook-sender.ts";
import type { KeyedLock } from "./keyed-lock.ts";
import type { RunDispatcher } from "./run-dispatcher.ts";
import type { RunQueue } from "./run-queue.ts";

/** What a server is made of. */
export interface RunsParts {
  /** How it was started. */
  readonly options: ServerOptions;
  /** Keeps its runs. */
  readonly store: RunStore;
  /** The places of running ones. */
  readonly desk: RunExecutor;
  /** Those that wait. */
  readonly queue: RunQueue;
  /** Gives them their turn. */
  readonly dispatcher: RunDispatcher;
  /** Who watches them. */
  readonly streams: EventStreams;
  /** Counts what happens. */
  readonly metrics: ServerMetrics;
  /** Tells others of their ends, where that is wanted. */
  readonly webhooks: WebhookSender | undefined;
  /** What must not happen twice at once to a run. */
  readonly locks: KeyedLock;
  /** Takes secrets out. */
  readonly masker: Masker;
  /** Fires, with an error as its reason, when the server takes nothing more. */
  readonly closing: AbortSignal;
}
