import { resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { type EarlierRun, toEarlierRun } from "@switchyard/runner";
import { describeContinued, findNewestConversation } from "@switchyard/settings";
import { neutraliseControls } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { findRun, placeOfRuns } from "../runs/open-runs.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Options that select the earlier run whose conversation a new run continues. */
export interface HistoryOptions extends StoreOptions {
  /** Whether to continue the newest run in the same folder. */
  continue?: boolean;
  /** Id of the run to continue, or a unique prefix of the id. */
  from?: string;
  /** Workspace folder of the new run. */
  workspace?: string | undefined;
}

/**
 * Finds the run that the options select; `undefined` if they select none. Rejects with `run.not_found`, and with
 * `run.not_resumable` if the conversation of the run is not stored.
 */
export async function findEarlierRun(
  context: CommandContext,
  options: HistoryOptions,
): Promise<EarlierRun | undefined> {
  if (options.from === undefined && options.continue !== true) return undefined;
  const store = await openRunStore(context, options);
  if (options.from !== undefined) {
    return toEarlierRun(await findRun(context, store, { ...options, id: options.from, command: "run" }));
  }
  const found = await findNewestConversation(store, resolve(context.workingDirectory, options.workspace ?? "."));
  if (found.run === undefined) {
    const runId = `with a conversation in ${found.workspace}`;
    throw new EngineError("run.not_found", { runId, stateDirectory: placeOfRuns(context, options) });
  }
  for (const note of describeContinued(found)) context.stderr.write(`note: ${neutraliseControls(note)}.\n`);
  return toEarlierRun(found.run);
}
