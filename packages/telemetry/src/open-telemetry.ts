import type { Context } from "@opentelemetry/api";
import type { LoggerProvider } from "@opentelemetry/sdk-logs";
import type { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { Envelope, Publisher } from "@switchyard/contracts";
import { type EvaluationEvent, emitEvaluation } from "./evaluation-event.ts";
import { exporterSettings } from "./exporter-settings.ts";
import { createInstruments } from "./instruments.ts";
import { limitedNames } from "./limited-names.ts";
import { type ObservedRun, RunSpans } from "./run-spans.ts";
import { type Variables, wantsSignal, wantsTelemetry } from "./wants-telemetry.ts";

const SCOPE = "@switchyard/telemetry";
/** Maximum wait for the collector when the process ends, in milliseconds. */
const CLOSE_MS = 3_000;
/** Maximum number of runs whose spans are remembered for evaluation results. The oldest run is forgotten first. */
const MAX_RUNS = 1_000;

/** Options for `openTelemetry`. */
export interface TelemetryOptions {
  /**
   * Environment variables that configure the export, such as `process.env`. Certificates are read from the variables of
   * the process instead.
   */
  readonly env: Variables;
  /** Program version that is recorded with the spans. */
  readonly version?: string | undefined;
  /** Whether evaluation results are exported as well. Default: false. */
  readonly hasEvaluations?: boolean | undefined;
  /** Called once if spans cannot be exported; runs are not affected. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Exports runs to a telemetry collector. */
export interface Telemetry {
  /** Returns an observer that exports the events of a run. Its failures do not affect the run. */
  readonly observe: (run: ObservedRun) => Publisher;
  /**
   * Exports the result of evaluating a run as an event `gen_ai.evaluation.result`. The run's span is its parent if
   * `observe` received the start of the run. Does nothing unless `hasEvaluations` is set.
   */
  readonly recordEvaluation: (event: EvaluationEvent) => void;
  /** Flushes and stops the export, within three seconds. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Providers {
  readonly tracers: BasicTracerProvider | undefined;
  readonly meters: MeterProvider | undefined;
  readonly loggers: LoggerProvider | undefined;
}

async function openProviders(env: Variables, hasEvaluations: boolean): Promise<Providers> {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": "switchyard" }))
    .merge(detectResources({ detectors: [envDetector] }));
  const providers: { -readonly [Name in keyof Providers]: Providers[Name] } = {
    ...{ tracers: undefined, meters: undefined, loggers: undefined },
  };
  if (wantsSignal(env, "traces")) {
    const { BasicTracerProvider, BatchSpanProcessor } = await import("@opentelemetry/sdk-trace-base");
    const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
    const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter(exporterSettings(env, "traces")))];
    providers.tracers = new BasicTracerProvider({ resource, spanProcessors });
  }
  if (wantsSignal(env, "metrics")) {
    const { MeterProvider, PeriodicExportingMetricReader } = await import("@opentelemetry/sdk-metrics");
    const { OTLPMetricExporter } = await import("@opentelemetry/exporter-metrics-otlp-http");
    const readers = [
      new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(exporterSettings(env, "metrics")) }),
    ];
    providers.meters = new MeterProvider({ resource, readers });
  }
  if (hasEvaluations && wantsSignal(env, "logs")) {
    const { BatchLogRecordProcessor, LoggerProvider } = await import("@opentelemetry/sdk-logs");
    const { OTLPLogExporter } = await import("@opentelemetry/exporter-logs-otlp-http");
    const processors = [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(exporterSettings(env, "logs")) })];
    providers.loggers = new LoggerProvider({ resource, processors });
  }
  return providers;
}

/** Wraps a callback so that it is called at most once. */
function onlyOnce(report: ((problem: string) => void) | undefined): (problem: string) => void {
  let isReported = false;
  return (problem) => {
    if (!isReported) report?.(problem);
    isReported = true;
  };
}

/** Closes the providers, within the time limit. */
async function closeAll({ tracers, meters, loggers }: Providers, report: (problem: string) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      report(`it did not accept the last spans within ${CLOSE_MS / 1_000} seconds.`);
      resolve();
    }, CLOSE_MS);
  });
  await Promise.race([Promise.allSettled([tracers?.shutdown(), meters?.shutdown(), loggers?.shutdown()]), late]);
  clearTimeout(timer);
}

/**
 * Starts the export that the OpenTelemetry variables configure (`OTEL_EXPORTER_OTLP_ENDPOINT` and related ones). It
 * exports spans of runs, turns, model calls and tool calls, histograms of tokens and durations, and evaluation results
 * as events. The export uses OTLP over HTTP with JSON. Spans contain no text of models or tools. Resolves with
 * `undefined` if no export is configured, without loading OpenTelemetry.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { env, version = "0.0.0", onProblem, hasEvaluations = false } = options;
  if (!wantsTelemetry(env) && !(hasEvaluations && wantsSignal(env, "logs"))) return undefined;
  const api = await import("@opentelemetry/api");
  const report = onlyOnce(onProblem);
  const isForeign = env["OTEL_EXPORTER_OTLP_PROTOCOL"] === "grpc";
  if (isForeign)
    onProblem?.("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not spoken here: OTLP goes over HTTP, as JSON.");
  const quiet = (): void => undefined;
  const logger = { error: report, warn: quiet, info: quiet, debug: quiet, verbose: quiet };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const providers = await openProviders(env, hasEvaluations);
  const tracer = (providers.tracers ?? api.trace).getTracer(SCOPE, version);
  const metricName = limitedNames();
  const instruments = createInstruments((providers.meters ?? api.metrics).getMeter(SCOPE, version));
  const runs = new Map<string, Context>();
  const onRun = (runId: string, context: Context): void => {
    const [oldest] = runs.keys();
    if (runs.size >= MAX_RUNS && oldest !== undefined) runs.delete(oldest);
    if (hasEvaluations) runs.set(runId, context);
  };
  return {
    recordEvaluation: (event) => {
      const { loggers } = providers;
      if (loggers === undefined) return;
      emitEvaluation(event, { loggers, scope: [SCOPE, version], context: runs.get(event.runId ?? "") });
    },
    observe: (run) => {
      const spans = new RunSpans({ api, tracer, instruments, metricName, onRun }, run);
      return {
        async publish(envelope: Envelope): Promise<void> {
          spans.take(envelope);
        },
      };
    },
    [Symbol.asyncDispose]: () => closeAll(providers, report),
  };
}
