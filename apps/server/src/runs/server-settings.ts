import type { RunRequest } from "@switchyard/contracts";

/** Settings that the server stores with an accepted run. */
export interface ServerSettings {
  /** Absolute local path of its workspace. */
  readonly workspace: string;
  /** Hash of the request, if it had an Idempotency-Key. */
  readonly fingerprint?: string | undefined;
  /** Webhook to call when it ends. */
  readonly webhookUrl?: string | undefined;
  /** Trace context of its caller, as a W3C Trace Context header. */
  readonly traceparent?: string | undefined;
}

/** Returns the settings as they are stored, in addition to those of the host. */
export function toServerSettings({
  workspace,
  fingerprint,
  webhookUrl,
  traceparent,
}: ServerSettings): Record<string, unknown> {
  return {
    server: {
      workspace,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
  };
}

/** Returns the server's settings of a stored request. `undefined` for a run not accepted by a server. */
export function serverSettingsOf(request: Pick<RunRequest, "settings"> | undefined): ServerSettings | undefined {
  const own = request?.settings?.["server"];
  if (!isRecord(own)) return undefined;
  const { workspace, fingerprint, webhook_url: webhookUrl, traceparent } = own;
  if (typeof workspace !== "string") return undefined;
  return {
    workspace,
    ...(typeof fingerprint === "string" ? { fingerprint } : {}),
    ...(typeof webhookUrl === "string" ? { webhookUrl } : {}),
    ...(typeof traceparent === "string" ? { traceparent } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
