import type { Signal, Variables } from "./wants-telemetry.ts";

/** Where a signal goes. */
export interface ExporterSettings {
  /** Address of the collector. */
  readonly url: string;
  /** Headers of each request. */
  readonly headers: Record<string, string>;
}

/**
 * Where a signal goes by the variables of OpenTelemetry: an address of its own as it is, or the one for all with its
 * path. Certificates, compression and timeouts are read by the exporter itself.
 */
export function exporterSettings(env: Variables, signal: Signal): ExporterSettings {
  const name = signal.toUpperCase();
  const own = env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`];
  const shared = env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? "";
  const url = own === undefined || own === "" ? `${shared.replace(/\/+$/, "")}/v1/${signal}` : own;
  const headers = `${env["OTEL_EXPORTER_OTLP_HEADERS"] ?? ""},${env[`OTEL_EXPORTER_OTLP_${name}_HEADERS`] ?? ""}`;
  return { url, headers: readHeaders(headers) };
}

/** `name=value` pairs with commas between them, their values percent-encoded; what is none is left out. */
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
