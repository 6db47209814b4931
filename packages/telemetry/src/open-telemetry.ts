import type { MeterProvider } from "@opentelemetry/sdk-metrics";
import type { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import type { Envelope, Publisher } from "@switchyard/contracts";
import { exporterSettings } from "./exporter-settings.ts";
import { createInstruments } from "./instruments.ts";
import { limitedNames } from "./limited-names.ts";
import { type ObservedRun, RunSpans } from "./run-spans.ts";
import { type Variables, wantsSignal } from "./wants-telemetry.ts";

const SCOPE = "@switchyard/telemetry";
/** Most time that the end of a process waits for a collector, in milliseconds. */
const CLOSE_MS = 3_000;

/** How telemetry is opened. */
export interface TelemetryOptions {
  /** Variables that say what is exported and where to, such as `process.env`; certificates are read from the process. */
  readonly env: Variables;
  /** Release that the spans are of. */
  readonly version?: string | undefined;
  /** Told once of what keeps spans from reaching their collector; runs are not harmed by it. */
  readonly onProblem?: ((problem: string) => void) | undefined;
}

/** Tells a collector of runs. */
export interface Telemetry {
  /** Follows a run: an observer of its events. What it does cannot harm the run. */
  readonly observe: (run: ObservedRun) => Publisher;
  /** Sends what is left and stops; takes three seconds at most. */
  [Symbol.asyncDispose](): Promise<void>;
}

interface Providers {
  readonly tracers: BasicTracerProvider | undefined;
  readonly meters: MeterProvider | undefined;
}

async function openProviders(env: Variables): Promise<Providers> {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ "service.name": "switchyard" }))
    .merge(detectResources({ detectors: [envDetector] }));
  const providers: { -readonly [Name in keyof Providers]: Providers[Name] } = { tracers: undefined, meters: undefined };
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
  return providers;
}

/** The same, at most once. */
function onlyOnce(tell: ((problem: string) => void) | undefined): (problem: string) => void {
  let isTold = false;
  return (problem) => {
    if (!isTold) tell?.(problem);
    isTold = true;
  };
}

/** Ends with the providers, or when the time is over. */
async function closeAll({ tracers, meters }: Providers, tell: (problem: string) => void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      tell(`it took none of the last spans in ${CLOSE_MS / 1_000} seconds.`);
      resolve();
    }, CLOSE_MS);
  });
  await Promise.race([Promise.allSettled([tracers?.shutdown(), meters?.shutdown()]), late]);
  clearTimeout(timer);
}

/**
 * Opens what the variables of OpenTelemetry ask for (`OTEL_EXPORTER_OTLP_ENDPOINT` and its kin): spans of runs, turns,
 * model and tool calls, and histograms of tokens and durations, by OTLP over HTTP as JSON. Nothing where they ask for
 * nothing; then nothing of OpenTelemetry was loaded. What models and tools say is in no span. architecture: surfaces.
 */
export async function openTelemetry(options: TelemetryOptions): Promise<Telemetry | undefined> {
  const { env, version = "0.0.0", onProblem } = options;
  if (!wantsSignal(env, "traces") && !wantsSignal(env, "metrics")) return undefined;
  const api = await import("@opentelemetry/api");
  const tell = onlyOnce(onProblem);
  const isForeign = env["OTEL_EXPORTER_OTLP_PROTOCOL"] === "grpc";
  if (isForeign)
    onProblem?.("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, which is not spoken here: OTLP goes over HTTP, as JSON.");
  const quiet = (): void => undefined;
  const logger = { error: tell, warn: quiet, info: quiet, debug: quiet, verbose: quiet };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true });
  const providers = await openProviders(env);
  const tracer = (providers.tracers ?? api.trace).getTracer(SCOPE, version);
  const metricName = limitedNames();
  const instruments = createInstruments((providers.meters ?? api.metrics).getMeter(SCOPE, version));
  return {
    observe: (run) => {
      const spans = new RunSpans({ api, tracer, instruments, metricName }, run);
      return {
        async publish(envelope: Envelope): Promise<void> {
          spans.take(envelope);
        },
      };
    },
    [Symbol.asyncDispose]: () => closeAll(providers, tell),
  };
}
