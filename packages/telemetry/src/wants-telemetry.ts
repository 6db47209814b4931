/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Kind of telemetry. */
export type Signal = "traces" | "metrics" | "logs";

/** Returns true if the variables enable a signal: an endpoint is set, and the signal is not disabled. */
export function wantsSignal(env: Variables, signal: Signal): boolean {
  const name = signal.toUpperCase();
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  if (env[`OTEL_${name}_EXPORTER`] === "none") return false;
  const address = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] ?? env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return address !== undefined && address !== "";
}

/** Returns true if any export of runs is enabled. Reads only variables, without loading OpenTelemetry. */
export function wantsTelemetry(env: Variables): boolean {
  return wantsSignal(env, "traces") || wantsSignal(env, "metrics");
}
