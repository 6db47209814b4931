import type { Signal, Variables } from "./wants-telemetry.ts";

/** Destination of a telemetry signal. */
export interface ExporterSettings {
  /** URL of the collector. */
  readonly url: string;
  /** Headers of each request. */
  readonly headers: Record<string, string>;
}

/**
 * Returns the URL and headers for a telemetry signal from the OpenTelemetry variables. A signal-specific URL is used
 * unchanged. The common URL gets the path of the signal appended. The exporter itself reads certificates, compression
 * and timeouts.
 */
export function exporterSettings(env: Variables, signal: Signal): ExporterSettings {
  const name = signal.toUpperCase();
  const own = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  const shared = env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  const url = own === undefined || own === "" ? `${shared.replace(/\/+$/, "")}/v1/${signal}` : own;
  const headers = `${env["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""},${env[`OTEL_EXPORTER_OTLP_${name}_HEADERS`] ?? ""}`;
  return { url, headers: readHeaders(headers) };
}

/** Parses comma-separated `name=value` pairs with percent-encoded values; invalid pairs are skipped. */
function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const [name = "", ...rest] = pair.split("=");
    if (name.trim() !== "" && rest.length > 0) headers[name.trim()] = decoded(rest.join("=").trim());
  }
  return headers;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
