import type { EngineError, RunStatus, RunStore } from "@switchyard/contracts";
import { sessionMasker } from "@switchyard/runner";
import { openFileStore } from "@switchyard/stores/file";
import { RequestAudit } from "../audit/audit-requests.ts";
import { callOnWorkers } from "../cluster/call-on-workers.ts";
import { type ClusterMember, type ClusterParts, openClusterParts } from "../cluster/open-cluster-parts.ts";
import { parseProxies } from "../connection/client-address.ts";
import { connectionLimitsOf } from "../connection/connection-limits.ts";
import { ConnectionTable, type ConnectionTableOptions } from "../connection/connection-table.ts";
import { openFileLimit } from "../connection/open-file-limit.ts";
import { needsToken } from "../guard/needs-token.ts";
import { createRateMeter, type RateLimit } from "../guard/rate-limit.ts";
import type { AppParts } from "../http/app-parts.ts";
import { indexedStore } from "../listing/indexed-store.ts";
import { RunIndex, type RunIndexOptions } from "../listing/run-index.ts";
import { createMetrics } from "../metrics/create-metrics.ts";
import { runCall } from "../run/run-call.ts";
import { createRunExecutor, type RunExecutor } from "../run/run-executor.ts";
import { createKeyedLock } from "../runs/keyed-lock.ts";
import { LocalDispatcher } from "../runs/local-dispatcher.ts";
import type { QueuedRun } from "../runs/run-dispatcher.ts";
import type { ExecuteCall } from "../runs/runs-parts.ts";
import { RunScheduler } from "../scheduler/run-scheduler.ts";
import { EventStreams } from "../stream/event-streams.ts";
import { createWebhookSender } from "../webhook/webhook-sender.ts";
import type { ServerOptions } from "./server-options.ts";

/** Default maximum number of concurrent runs if each run has a separate workspace. */
const CONCURRENCY = 4;
const MAX_QUEUED = 1_000;
const MAX_QUEUED_PER_OWNER = 100;
/** Default rate limit of callers with tokens. */
const RATE_LIMIT: RateLimit = { perMinute: 60, burst: 20 };
/** Default rate limit of requests with an unknown token, per address. */
const ATTEMPT_LIMIT: RateLimit = { perMinute: 30, burst: 100 };

/** All parts of a server. */
export interface ServerParts extends AppParts {
  /** Number of open connections at which the listening socket rejects new connections. */
  readonly maxAccepted: number;
  /** Called for errors of the server itself. */
  readonly onError: (error: unknown) => void;
  /** Membership of the server in its cluster. `undefined` without a cluster. */
  readonly member: ClusterMember | undefined;
  /** Aborted at shutdown to stop reading request bodies. */
  close(reason: EngineError): void;
}

/** Creates the parts of a server, without listening. */
export async function openParts(serverOptions: ServerOptions): Promise<ServerParts> {
  const rateLimit = serverOptions.rateLimit ?? (needsToken(serverOptions) ? RATE_LIMIT : undefined);
  const attemptLimit = serverOptions.attemptLimit ?? ATTEMPT_LIMIT;
  const options = { ...serverOptions, rateLimit, attemptLimit };
  const { session, stateDirectory, workspace, concurrency = CONCURRENCY, now = Date.now } = options;
  const onError = quietly(options);
  const monotonic = options.monotonic ?? (() => performance.now());
  const { store, index } = openStore(options, { monotonic, onError });
  // In a cluster, workers execute the runs, so the number of runs in this process is not limited.
  const slots = options.cluster === undefined ? concurrency : Number.POSITIVE_INFINITY;
  const executor = createRunExecutor(workspace === undefined ? slots : 1);
  const { maxQueued = MAX_QUEUED, maxQueuedPerOwner = Math.min(MAX_QUEUED_PER_OWNER, maxQueued) } = options;
  const scheduler = new RunScheduler({
    ...{ maxQueued, maxQueuedPerOwner },
    quotaOf: options.quotaOf ?? (() => ({ maxRunning: options.maxRunsPerOwner })),
  });
  const streams = new EventStreams(options.streams);
  const metrics = createMetrics({
    queued: () => scheduler.size,
    working: () => (options.cluster === undefined ? executor.used : scheduler.running),
    queueAge: () => scheduler.oldestAgeMs(now()) / 1_000,
    streams: () => streams.size,
    dropped: () => streams.dropped,
    connections: (kind) => connections.count(kind),
  });
  const { limits, proxies, connections } = await openConnections(options, {
    monotonic,
    onDrop: metrics.connectionDropped,
  });
  const webhooks =
    options.webhooks === undefined
      ? undefined
      : createWebhookSender({ ...options.webhooks, stateDirectory, store, now, onError, onAttempt: metrics.webhook });
  const onEnd = ({ runId, owner, isAwaited }: QueuedRun, status: RunStatus): void => {
    metrics.ended(status);
    if (isAwaited === true) return;
    webhooks?.notify(runId);
    options.log?.({
      ...{ time: new Date(now()).toISOString(), level: "info", message: "run" },
      ...{ run_id: runId, run_status: status, owner },
    });
  };
  const closing = new AbortController();
  return {
    ...{ options, store, index, executor, scheduler, streams, metrics, webhooks, onError },
    ...openDispatcher(options, { store, executor, scheduler, streams, metrics, monotonic, onEnd, onError }),
    locks: createKeyedLock(),
    masker: sessionMasker(session),
    meter: rateLimit === undefined ? undefined : createRateMeter(rateLimit, monotonic),
    audit: options.audit === undefined ? undefined : new RequestAudit(options.audit, { proxies, monotonic }),
    ...{ connections, proxies, maxAccepted: limits.maxAccepted },
    attempts: createRateMeter(attemptLimit, monotonic),
    closing: closing.signal,
    close: (reason) => closing.abort(reason),
  };
}

/** Opens the store of the runs, and an index that is updated with every write through the store. */
function openStore(
  { store: customStore, stateDirectory, cluster }: ServerOptions,
  parts: Pick<RunIndexOptions, "monotonic" | "onError">,
): { readonly store: RunStore; readonly index: RunIndex } {
  const store = cluster?.store ?? customStore ?? openFileStore({ directory: stateDirectory });
  const index = new RunIndex({ ...parts, store });
  return { store: indexedStore(store, index), index };
}

interface DispatcherParts extends Omit<ClusterParts, "cluster"> {
  readonly executor: RunExecutor;
  readonly store: RunStore;
}

type OpenedDispatcher = Pick<ServerParts, "dispatcher" | "executeCall" | "view" | "member">;

/** Creates the dispatcher. It considers waiting runs again when the quotas of owners change. */
function openDispatcher(options: ServerOptions, parts: DispatcherParts): OpenedDispatcher {
  const opened = chooseDispatcher(options, parts);
  options.onQuotasChanged?.(() => {
    parts.scheduler.reconsiderLimits();
    opened.dispatcher.pump();
  });
  return opened;
}

/** Creates the dispatcher: of this machine, or of a cluster. */
function chooseDispatcher(options: ServerOptions, parts: DispatcherParts): OpenedDispatcher {
  const { cluster } = options;
  if (cluster !== undefined) {
    const opened = openClusterParts(options, { ...parts, cluster });
    const { view } = opened;
    return { ...opened, executeCall: (request, call, all) => callOnWorkers(request, call, { ...all, view, cluster }) };
  }
  const dispatcher = new LocalDispatcher({ ...parts, options });
  const executeCall: ExecuteCall = (request, call, all) => runCall(request, call, { ...all, adopter: dispatcher });
  return { dispatcher, executeCall, view: undefined, member: undefined };
}

/** Creates the connection table and its limits. */
async function openConnections(
  { tokens, oidc, maxConnections, connections: connectionOptions }: ServerOptions,
  parts: Pick<ConnectionTableOptions, "monotonic" | "onDrop">,
) {
  const proxies = parseProxies(connectionOptions?.trustedProxies ?? []);
  const openFiles = await openFileLimit();
  const limits = connectionLimitsOf({
    ...connectionOptions,
    maxConnections,
    hasTokens: needsToken({ tokens, oidc }),
    openFiles,
  });
  return { limits, proxies, connections: new ConnectionTable({ limits, proxies, ...parts }) };
}

/** Wraps a callback so that errors that it throws do not affect the server. */
function quietly({ onError }: ServerOptions): (error: unknown) => void {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // Already reported.
    }
  };
}
