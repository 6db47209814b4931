import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ConnectionKind, DropReason } from "../connection/connection-table.ts";

/** Upper bounds of the buckets of duration histograms, in seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2, 10, 60, 600];

/** Functions that return the current values of gauges when metrics are requested. */
export interface MetricSources {
  /** Number of waiting runs. */
  readonly queued: () => number;
  /** Waiting time of the oldest queued run, in seconds; 0 if none waits. */
  readonly queueAge: () => number;
  /** Number of active runs. */
  readonly working: () => number;
  /** Number of open event streams. */
  readonly streams: () => number;
  /** Total number of clients disconnected for reading too slowly. */
  readonly dropped: () => number;
  /** Number of connections of the given kind. */
  readonly connections: (kind: ConnectionKind) => number;
}

/** Outcome of an attempt to call a webhook. */
export type WebhookOutcome = "delivered" | "retried" | "given_up";

/** Metrics of a server. Labels have few distinct values, and callers cannot choose them. */
export interface ServerMetrics {
  /** Counts a response. */
  answered(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly durationMs: number;
  }): void;
  /** Counts a finished run. */
  ended(status: string): void;
  /** Counts a webhook attempt. */
  webhook(outcome: WebhookOutcome): void;
  /** Counts a connection that was closed because it exceeded a limit. */
  connectionDropped(reason: DropReason): void;
  /** Counts a request with an unknown token, by the response: rejected or rate limited. */
  attempted(outcome: "refused" | "limited"): void;
  /** Counts an attempt to execute a run that was lost because its worker died. */
  leaseLost(): void;
  /** Media type. */
  readonly contentType: string;
  /** Renders all metrics in Prometheus format. */
  render(): Promise<string>;
}

let processRegistry: Registry | undefined;

/**
 * Returns the metrics of the process, which all its servers share: each collection of them has a timer and an observer
 * of the garbage collector, which nothing stops after the server is closed.
 */
function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Creates the metrics of a server and its process. */
export function createMetrics(sources: MetricSources): ServerMetrics {
  const { queued, working, queueAge, streams, dropped } = sources;
  const registry = Registry.merge([metricsOfProcess()]);
  const registers = [registry];
  gauge(registry, { name: "switchyard_runs_queued", help: "Queued runs.", read: queued });
  gauge(registry, { name: "switchyard_runs_working", help: "Runs in progress.", read: working });
  gauge(registry, {
    name: "switchyard_queue_age_seconds",
    help: "Waiting time of the oldest queued run, in seconds.",
    read: queueAge,
  });
  gauge(registry, { name: "switchyard_event_streams", help: "Open event streams.", read: streams });
  gauge(registry, {
    name: "switchyard_event_streams_dropped",
    help: "Event streams closed because the client was too slow.",
    read: dropped,
  });
  const requests = new Counter({
    ...{ name: "switchyard_http_requests_total", help: "HTTP responses.", registers },
    labelNames: ["method", "route", "status"],
  });
  const durations = new Histogram({
    ...{ name: "switchyard_http_request_seconds", help: "Time until the response, in seconds.", registers },
    ...{ labelNames: ["route"], buckets: BUCKETS },
  });
  const ends = new Counter({
    ...{ name: "switchyard_runs_ended_total", help: "Ended runs, by status.", registers },
    labelNames: ["status"],
  });
  const webhooks = new Counter({
    ...{ name: "switchyard_webhooks_total", help: "Webhook attempts, by outcome.", registers },
    labelNames: ["outcome"],
  });
  const lost = new Counter({
    ...{ name: "switchyard_leases_lost_total", help: "Attempts lost because their worker died.", registers },
  });
  const { drops, attempts } = connectionMetrics(registry, sources);
  return {
    connectionDropped: (reason) => drops.inc({ reason }),
    attempted: (outcome) => attempts.inc({ outcome }),
    leaseLost: () => lost.inc(),
    contentType: registry.contentType,
    render: () => registry.metrics(),
    answered: ({ method, route, status, durationMs }) => {
      requests.inc({ method: methodLabel(method), route, status: String(status) });
      durations.observe({ route }, durationMs / 1000);
    },
    ended: (status) => ends.inc({ status }),
    webhook: (outcome) => webhooks.inc({ outcome }),
  };
}

const CONNECTION_KINDS: readonly ConnectionKind[] = ["authenticated", "unauthenticated", "proxy"];

/** Registers the connection metrics. */
function connectionMetrics(registry: Registry, { connections }: MetricSources) {
  const registers = [registry];
  const open: Gauge<"kind"> = new Gauge({
    ...{ name: "switchyard_connections", help: "Open connections, by kind.", labelNames: ["kind"], registers },
    collect: () => {
      for (const kind of CONNECTION_KINDS) open.set({ kind }, connections(kind));
    },
  });
  const drops = new Counter({
    ...{ name: "switchyard_connections_dropped_total", help: "Connections closed by a limit, by reason." },
    ...{ labelNames: ["reason"], registers },
  });
  const attempts = new Counter({
    ...{ name: "switchyard_unknown_tokens_total", help: "Requests with an unknown token, by outcome." },
    ...{ labelNames: ["outcome"], registers },
  });
  return { drops, attempts };
}

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/**
 * Returns the metric label for an HTTP method. Unknown methods share one label, so that callers cannot create new
 * labels.
 */
function methodLabel(method: string): string {
  return METHODS.includes(method) ? method : "other";
}

function gauge(registry: Registry, { name, help, read }: { name: string; help: string; read: () => number }): void {
  const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
}
