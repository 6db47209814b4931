import type { Envelope, StoredRun } from "@switchyard/contracts";
import { isRecord } from "../input/is-record.ts";

/** Options of `runDocument`. */
export interface RunDocumentOptions {
  /** Events of the run. */
  readonly events: AsyncIterable<Envelope>;
  /** Serializes a value on one line. Default: `JSON.stringify`. */
  readonly toJson?: ((value: unknown) => string) | undefined;
}

/**
 * Serializes a stored run as one JSON document: record, request, report and events. Yields the document in pieces,
 * because the events may not fit into memory.
 */
export async function* runDocument(
  { runId, record, request, report }: StoredRun,
  { events, toJson = JSON.stringify }: RunDocumentOptions,
): AsyncGenerator<string, void, undefined> {
  const head = toJson({ format: 1, run_id: runId, record, request: withoutWebhook(request), report });
  let before = `${head.slice(0, -1)},"events":[`;
  for await (const envelope of events) {
    yield `${before}${toJson(envelope)}`;
    before = ",";
  }
  yield before === "," ? "]}\n" : `${before}]}\n`;
}

/** Shortens the webhook URL to its origin, because anyone who knows the full URL can send forged notifications. */
function withoutWebhook(request: StoredRun["request"]): StoredRun["request"] {
  const server = request?.settings?.["server"];
  if (request === undefined || !isRecord(server) || typeof server["webhook_url"] !== "string") return request;
  const { webhook_url: address, ...rest } = server;
  const origin = URL.canParse(address) ? new URL(address).origin : undefined;
  return { ...request, settings: { ...request.settings, server: { ...rest, webhook_url: origin } } };
}
