import type { RunRequest } from "@switchyard/contracts";

/** Settings that the server stores with an accepted run. */
export interface ServerSettings {
  /** Absolute local path of the run's workspace. */
  readonly workspace: string;
  /** Hash of the request that created the run. `undefined` without an Idempotency-Key. */
  readonly fingerprint?: string | undefined;
  /** URL of the webhook to call when the run ends. */
  readonly webhookUrl?: string | undefined;
  /** Trace context of the caller, as a W3C `traceparent` header. */
  readonly traceparent?: string | undefined;
  /** True if the caller waits for the result of the run, so that nobody answers questions. Default: false. */
  readonly isAwaited?: boolean | undefined;
  /**
   * Id of the files for the initial workspace on the broker: uploaded files, and the changes of another run. `undefined`
   * if there are none.
   */
  readonly upload?: string | undefined;
}

/** Returns the settings in their stored form. They are stored in addition to the settings of the host. */
export function toServerSettings({
  workspace,
  fingerprint,
  webhookUrl,
  traceparent,
  isAwaited,
  upload,
}: ServerSettings): Record<string, unknown> {
  return {
    server: {
      workspace,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...(webhookUrl === undefined ? {} : { webhook_url: webhookUrl }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(isAwaited === true ? { is_awaited: true } : {}),
      ...(upload === undefined ? {} : { upload }),
    },
  };
}

/** Returns the server's settings from a stored run request. `undefined` if the run was not created by a server. */
export function serverSettingsOf(request: Pick<RunRequest, "settings"> | undefined): ServerSettings | undefined {
  const settings = request?.settings?.["server"];
  if (!isRecord(settings)) return undefined;
  const { workspace, fingerprint, webhook_url: webhookUrl, traceparent } = settings;
  const { is_awaited: isAwaited, upload } = settings;
  if (typeof workspace !== "string") return undefined;
  return {
    workspace,
    ...(typeof fingerprint === "string" ? { fingerprint } : {}),
    ...(typeof webhookUrl === "string" ? { webhookUrl } : {}),
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    ...(isAwaited === true ? { isAwaited } : {}),
    ...(typeof upload === "string" ? { upload } : {}),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
