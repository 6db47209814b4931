import { resolve } from "node:path";
import { followEvents, runDocument } from "@switchyard/runner";
import { assertWritable, createPlainView, neutraliseControls, replaceOutput, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";
import { findRun } from "./open-runs.ts";

/** Which run, and how it is printed. */
export interface ExportOptions extends StoreOptions {
  /** Id of the run, or its beginning. */
  id: string;
  /** Whether events are printed as JSON. */
  json?: boolean;
  /** File to write to. */
  output?: string;
  /** Whether events that come are printed as well, until the run is over. */
  follow?: boolean;
}

/** Prints the events of a run: as people see them in a pipe, or one line of JSON each. Resolves with the exit code. */
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
 * Writes all that is kept of a run as one JSON document: who it is, what it was asked, its report and its events. What
 * was masked when it was kept stays so. Resolves with the exit code.
 */
export async function exportRun(context: CommandContext, options: ExportOptions): Promise<number> {
  const output = options.output === undefined ? undefined : resolve(context.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const store = await openRunStore(context, options);
  const run = await findRun(context, store, { ...options, command: "runs export" });
  const pieces = runDocument(run, { events: store.events(run.runId), toJson: toPlainJson });
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
