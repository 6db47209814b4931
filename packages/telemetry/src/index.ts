// Exports for hosts: the export of runs as traces and metrics, and of evaluation results as events.

export type { EvaluationEvent } from "./evaluation-event.ts";
export { openTelemetry, type Telemetry, type TelemetryOptions } from "./open-telemetry.ts";
export type { ObservedRun } from "./run-spans.ts";
export type { Variables } from "./wants-telemetry.ts";
export { wantsTelemetry } from "./wants-telemetry.ts";
