/** Variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What is exported. */
export type Signal = "traces" | "metrics";

/** Whether variables ask for a signal: an address for it, or for all, and nothing that switches it off. */
export function wantsSignal(env: Variables, signal: Signal): boolean {
  const name = signal.toUpperCase();
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return false;
  if (env[`OTEL_${name}_EXPORTER`] === "none") return false;
  const address = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`] ?? env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  return address !== undefined && address !== "";
}

/** Whether anything is to be exported. Looks at variables only: nothing of OpenTelemetry is loaded for it. */
export function wantsTelemetry(env: Variables): boolean {
  return wantsSignal(env, "traces") || wantsSignal(env, "metrics");
}
