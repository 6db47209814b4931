import type { RunRequest } from "@switchyard/contracts";

/** What the server keeps of its own with a run that it has accepted. */
export interface ServerSettings {
  /** Absolute path of its workspace on this machine. */
  readonly workspace: string;
  /** Hash of the request, where it came with an Idempotency-Key. */
  readonly fingerprint?: string | undefined;
  /** Whom to tell of its end. */
  readonly webhookUrl?: string | undefined;
  /** The span that its caller was in, as a header of W3C Trace Context. */
  readonly traceparent?: string | undefined;
}

/** The settings as they are kept, beside those of the host. */
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

/** The settings of a stored request; nothing for a run that no server has accepted. */
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
