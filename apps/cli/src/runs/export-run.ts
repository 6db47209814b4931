import { resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Envelope, type RunStore, type StoredRun, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { createPlainView, neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { assertWritable, replaceOutput } from "../run/write-result.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/** Polling interval for a run that is followed, in milliseconds. */
const FOLLOW_MS = 250;

/** Options of the commands `runs events` and `runs export`. */
export interface ExportOptions extends StoreOptions {
  /** Id of the run, or a unique prefix of it. */
  id: string;
  /** Whether to print events as JSON. */
  json?: boolean;
  /** File to write to. */
  output?: string;
  /** Whether to keep printing new events until the run ends. */
  follow?: boolean;
}

/** Prints the events of a run, as text or as JSON lines. Resolves with the exit code. */
export async function printEvents(context: CommandContext, options: ExportOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const { runId } = await findRun(context, store, { ...options, command: "runs events" });
  const view = createPlainView(context.stdout);
  const events = options.follow === true ? followEvents(context, store, runId) : store.events(runId);
  for await (const envelope of events) {
    if (context.stdout.closed.aborted) break;
    if (options.json === true) context.stdout.write(`${toPlainJson(envelope)}\n`);
    else view.show(envelope);
  }
  view.close();
  return 0;
}

/** Yields stored and new events of a run until no process works on it or the user stops the command. */
async function* followEvents(
  context: CommandContext,
  store: RunStore,
  runId: string,
): AsyncGenerator<Envelope, void, undefined> {
  const stop = new AbortController();
  const ignore = context.onStopRequest(() => stop.abort());
  try {
    for (let last = 0; ; ) {
      // Reads the status before the events, so that events written before the end are not missed.
      const { record, lease } = await store.show(runId);
      for await (const envelope of store.events(runId, last)) {
        last = envelope.seq ?? last;
        yield envelope;
      }
      const isOver = record === undefined || TERMINAL_RUN_STATUSES.includes(record.status);
      if (isOver || (record.status !== "queued" && lease?.isHeld === false) || stop.signal.aborted) return;
      await delay(FOLLOW_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    ignore();
  }
}

/**
 * Exports all data of a run as one JSON document: its record, request, report and events. Secrets stay redacted as
 * stored. Resolves with the exit code.
 */
export async function exportRun(context: CommandContext, options: ExportOptions): Promise<number> {
  const output = options.output === undefined ? undefined : resolve(context.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const store = await openRunStore(context, options);
  const run = await findRun(context, store, { ...options, command: "runs export" });
  const pieces = documentOf(run, store.events(run.runId));
  if (output !== undefined) {
    await replaceOutput(output, pieces);
    context.stdout.write(`Wrote ${neutraliseControls(output)}\n`);
    return 0;
  }
  for await (const piece of pieces) {
    if (context.stdout.closed.aborted) break;
    context.stdout.write(piece);
  }
  return 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the request without the webhook's secret path and query: whoever knows the full URL could send forged
 * notifications to it.
 */
function shownRequest(request: StoredRun["request"]): StoredRun["request"] {
  const server = request?.settings?.["server"];
  if (request === undefined || !isRecord(server) || typeof server["webhook_url"] !== "string") return request;
  const { webhook_url: address, ...rest } = server;
  const place = URL.canParse(address) ? new URL(address).origin : undefined;
  return { ...request, settings: { ...request.settings, server: { ...rest, webhook_url: place } } };
}

/** Yields the document in chunks, because the events of a run can exceed memory and the maximum string length. */
async function* documentOf(
  { runId, record, request, report }: StoredRun,
  events: AsyncIterable<Envelope>,
): AsyncGenerator<string, void, undefined> {
  let before = `${toPlainJson({ format: 1, run_id: runId, record, request: shownRequest(request), report }).slice(0, -1)},"events":[`;
  for await (const envelope of events) {
    yield `${before}${toPlainJson(envelope)}`;
    before = ",";
  }
  yield before === "," ? "]}\n" : `${before}]}\n`;
}
