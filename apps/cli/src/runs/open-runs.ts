import type { RunStore, StoredRun } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { findStoredRun } from "@switchyard/runner";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import type { StoreOptions } from "../store/open-run-store.ts";

const MAX_NAMED = 5;

/** Returns where runs are stored, for messages: the URL of a broker, or a folder. */
export function placeOfRuns(context: CommandContext, { state, store }: StoreOptions): string {
  return store ?? stateDirectory(context, state);
}

/** Run on which a command operates, and the options that select its store. */
export interface RunChoice extends StoreOptions {
  /** Id of the run, or a unique prefix of the id. */
  id: string;
  /** Name of the command, for messages. */
  command: string;
}

/**
 * Finds a run by its id or a unique prefix of the id. Rejects with `run.not_found`, or with `usage.invalid` if several
 * runs match.
 */
export async function findRun(
  context: CommandContext,
  store: Pick<RunStore, "list" | "show">,
  choice: RunChoice,
): Promise<StoredRun> {
  const { id, command } = choice;
  if (id === "") throw usageError("The run id is empty.", command);
  const found = await findStoredRun(store, id);
  if ("run" in found) return found.run;
  const { matches } = found;
  if (matches.length === 0) {
    throw new EngineError("run.not_found", { runId: id, stateDirectory: placeOfRuns(context, choice) });
  }
  const named = matches.slice(0, MAX_NAMED).join(", ");
  throw usageError(
    `${id} matches ${matches.length} runs. Give more characters: ${named}${matches.length > MAX_NAMED ? ", …" : ""}.`,
    command,
  );
}
