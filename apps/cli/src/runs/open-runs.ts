import type { RunStore, StoredRun } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import type { StoreOptions } from "../store/open-run-store.ts";

const MAX_NAMED = 5;

/** Where runs are kept, for messages. */
export function placeOfRuns(context: CommandContext, { state, store }: StoreOptions): string {
  return store ?? stateDirectory(context, state);
}

/** Which run a command is about. */
export interface RunChoice extends StoreOptions {
  /** Its id, or the beginning of it. */
  id: string;
  /** Name of the command, for messages. */
  command: string;
}

/** Finds the one run with that id or beginning. Rejects with `run.not_found`, or `usage.invalid` when several have it. */
export async function findRun(
  context: CommandContext,
  store: Pick<RunStore, "list" | "show">,
  choice: RunChoice,
): Promise<StoredRun> {
  const { id, command } = choice;
  if (id === "") throw usageError("The id of the run is empty.", command);
  const whole = await showNamed(store, id);
  if (whole !== undefined) return whole;
  const matches = (await store.list()).map(({ runId }) => runId).filter((candidate) => candidate.startsWith(id));
  const [match] = matches;
  if (match === undefined) {
    throw new EngineError("run.not_found", { runId: id, stateDirectory: placeOfRuns(context, choice) });
  }
  if (matches.length === 1) return await store.show(match);
  const named = matches.slice(0, MAX_NAMED).join(", ");
  throw usageError(
    `${id} is the beginning of ${matches.length} runs, write more of it: ${named}${matches.length > MAX_NAMED ? ", …" : ""}.`,
    command,
  );
}

/** The run with exactly this id, if there is one: to look at all runs takes seconds where there are thousands. */
async function showNamed(store: Pick<RunStore, "show">, id: string): Promise<StoredRun | undefined> {
  try {
    return await store.show(id);
  } catch (error) {
    if (EngineError.is(error, "run.not_found") || EngineError.is(error, "run.invalid_id")) return undefined;
    throw error;
  }
}
