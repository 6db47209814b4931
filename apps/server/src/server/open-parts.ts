import type { EngineError, RunStatus } from "@switchyard/contracts";
import { sessionMasker } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";
import { createRateMeter, type RateLimit } from "../guard/rate-limit.ts";
import type { AppParts } from "../http/create-app.ts";
import { createMetrics } from "../metrics/create-metrics.ts";
import { createRunDesk } from "../run/run-desk.ts";
import { createKeyedLock } from "../runs/keyed-lock.ts";
import { type LiveRun, RunDispatcher } from "../runs/run-dispatcher.ts";
import { createRunQueue } from "../runs/run-queue.ts";
import { EventStreams } from "../stream/event-streams.ts";
import { createWebhookDesk } from "../webhook/webhook-desk.ts";
import type { ServerOptions } from "./server-options.ts";

/** Runs at once, where each has a workspace of its own. */
const CONCURRENCY = 4;
const MAX_QUEUED = 1_000;
const MAX_QUEUED_PER_OWNER = 100;
/** What callers with tokens may send. */
const RATE_LIMIT: RateLimit = { perMinute: 60, burst: 20 };

/** Everything that a server is made of. */
export interface ServerParts extends AppParts {
  /** Told of what went wrong in the server itself. */
  readonly onError: (error: unknown) => void;
  /** Ends the reading of bodies. */
  close(reason: EngineError): void;
}

/** Puts the parts of a server together; nothing listens yet. */
export async function openParts(given: ServerOptions): Promise<ServerParts> {
  const rateLimit = given.rateLimit ?? (given.tokens === undefined ? undefined : RATE_LIMIT);
  const options: ServerOptions = { ...given, rateLimit };
  const { session, stateDirectory, workspace, concurrency = CONCURRENCY, now = Date.now } = options;
  const onError = quietly(options);
  const store = given.store ?? openFileStore({ directory: stateDirectory });
  const desk = createRunDesk(workspace === undefined ? concurrency : 1);
  const queue = createRunQueue({
    total: options.maxQueued ?? MAX_QUEUED,
    perOwner: options.maxQueuedPerOwner ?? MAX_QUEUED_PER_OWNER,
  });
  const streams = new EventStreams(options.streams);
  const metrics = createMetrics({
    queued: () => queue.size,
    working: () => desk.taken,
    streams: () => streams.size,
    dropped: () => streams.dropped,
  });
  const webhooks =
    options.webhooks === undefined
      ? undefined
      : createWebhookDesk({ ...options.webhooks, stateDirectory, store, now, onError, onAttempt: metrics.webhook });
  const onEnd = ({ runId, owner, isAwaited }: LiveRun, status: RunStatus): void => {
    metrics.ended(status);
    if (isAwaited === true) return;
    webhooks?.tell(runId);
    options.log?.({
      ...{ time: new Date(now()).toISOString(), level: "info", message: "run" },
      ...{ run_id: runId, run_status: status, owner },
    });
  };
  const closing = new AbortController();
  return {
    ...{ options, store, desk, queue, streams, metrics, webhooks, onError },
    dispatcher: new RunDispatcher({ options, store, desk, queue, onEnd, onError }),
    locks: createKeyedLock(),
    masker: sessionMasker(session),
    meter:
      rateLimit === undefined ? undefined : createRateMeter(rateLimit, options.monotonic ?? (() => performance.now())),
    closing: closing.signal,
    close: (reason) => closing.abort(reason),
  };
}

/** What a host does with a diagnostic cannot harm the server. */
function quietly({ onError }: ServerOptions): (error: unknown) => void {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // It was told.
    }
  };
}
