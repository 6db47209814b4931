import { resolve } from "node:path";
import { assertWritable, replaceOutput } from "../run/write-result.ts";
import { neutraliseControls, toPlainJson } from "../text/neutralise-controls.ts";
import { createPlainView } from "../views/plain-view.ts";
import type { World } from "../world/world.ts";
import { findRun, openRuns } from "./open-runs.ts";

/** Which run, and how it is printed. */
export interface ExportOptions {
  /** Id of the run, or its beginning. */
  id: string;
  /** Whether events are printed as JSON. */
  json?: boolean;
  /** File to write to. */
  output?: string;
  /** Folder with the run folders. */
  state?: string;
}

/** Prints the events of a run: as people see them in a pipe, or one line of JSON each. Resolves with the exit code. */
export async function printEvents(world: World, options: ExportOptions): Promise<number> {
  const store = openRuns(world, options.state);
  const { runId } = await findRun(world, store, { ...options, command: "runs events" });
  const view = createPlainView(world.stdout);
  for await (const envelope of store.events(runId)) {
    if (world.stdout.closed.aborted) break;
    if (options.json === true) world.stdout.write(`${toPlainJson(envelope)}\n`);
    else view.show(envelope);
  }
  view.close();
  return 0;
}

/**
 * Writes all that is kept of a run as one JSON document: who it is, what it was asked, its report and its events. What
 * was masked when it was kept stays so. Resolves with the exit code.
 */
export async function exportRun(world: World, options: ExportOptions): Promise<number> {
  const output = options.output === undefined ? undefined : resolve(world.workingDirectory, options.output);
  if (output !== undefined) await assertWritable(output);
  const store = openRuns(world, options.state);
  const { runId, record, request, report } = await findRun(world, store, { ...options, command: "runs export" });
  const events = [];
  for await (const envelope of store.events(runId)) events.push(envelope);
  const text = `${toPlainJson({ format: 1, run_id: runId, record, request, report, events })}\n`;
  if (output === undefined) {
    world.stdout.write(text);
    return 0;
  }
  await replaceOutput(output, text);
  world.stdout.write(`Wrote ${neutraliseControls(output)}\n`);
  return 0;
}
