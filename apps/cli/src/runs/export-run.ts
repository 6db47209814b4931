import { resolve } from "node:path";
import type { Envelope, StoredRun } from "@switchyard/contracts";
import { followEvents, runDocument, secretsFromEnv } from "@switchyard/runner";
import { assertWritable, createPlainView, neutraliseControls, replaceOutput, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/** Options of the commands `runs events` and `runs export`. */
export interface ExportOptions extends StoreOptions {
  /** Id of the run, or a unique prefix of the id. */
  id: string;
  /** Whether to print events as JSON lines. */
  json?: boolean;
  /** Path of the file to write to. Default: standard output. */
  output?: string;
  /** Format of the exported document. Default: `json`. */
  format?: "json" | "html" | "atif";
  /** Whether to wait for new events and print them until the run ends. */
  follow?: boolean;
}

/** Prints the stored events of a run, as text or as JSON lines. Resolves with the exit code. */
export async function printEvents(context: CommandContext, options: ExportOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const { runId } = await findRun(context, store, { ...options, command: "runs events" });
  const view = createPlainView(context.stdout);
  const stop = new AbortController();
  const ignore = options.follow === true ? context.onStopRequest(() => stop.abort()) : undefined;
  const { signal } = stop;
  try {
    const events = options.follow === true ? followEvents(store, runId, { signal }) : store.events(runId);
    for await (const envelope of events) {
      if (context.stdout.closed.aborted) break;
      if (options.json === true) context.stdout.write(`${toPlainJson(envelope)}\n`);
      else view.show(envelope);
    }
  } finally {
    ignore?.();
  }
  view.close();
  return 0;
}

/**
 * Writes the stored data of a run as one JSON document (record, request, report and events), as an HTML page, or as an
 * ATIF trajectory. Secrets that were redacted when the data was stored stay redacted. Resolves with the exit code.
 */
export async function exportRun(context: CommandContext, options: ExportOptions): Promise<number> {
  const output = options.output === undefined ? undefined : resolve(context.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const store = await openRunStore(context, options);
  const run = await findRun(context, store, { ...options, command: "runs export" });
  const events = store.events(run.runId);
  const pieces = piecesOf(context, run, { events, format: options.format });
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

async function* piecesOf(
  { env }: CommandContext,
  run: StoredRun,
  { events, format = "json" }: { events: AsyncIterable<Envelope>; format: ExportOptions["format"] | undefined },
): AsyncGenerator<string, void, undefined> {
  if (format === "json") return yield* runDocument(run, { events, toJson: toPlainJson });
  const { createTrajectory, renderRunPage } = await import("@switchyard/evaluation");
  if (format === "html") yield await renderRunPage(run, { events });
  else yield `${toPlainJson(await createTrajectory(run, { events, secrets: secretsFromEnv(env) }))}\n`;
}
