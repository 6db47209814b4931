import type { RunStore, StoredRun } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import type { CommandContext } from "../context/command-context.ts";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import type { StoreOptions } from "../store/open-run-store.ts";

const MAX_NAMED = 5;

/** Describes where runs are stored, for messages. */
export function placeOfRuns(context: CommandContext, { state, store }: StoreOptions): string {
  return store ?? stateDirectory(context, state);
}

/** Run that a command operates on. */
export interface RunChoice extends StoreOptions {
  /** Its id, or a unique prefix of it. */
  id: string;
  /** Name of the command, for messages. */
  command: string;
}

/**
 * Finds the run with that id or prefix. Rejects with `run.not_found`, or with `usage.invalid` if several runs match.
 */
export async function findRun(
  context: CommandContext,
  store: Pick<RunStore, "list" | "show">,
  choice: RunChoice,
): Promise<StoredRun> {
  const { id, command } = choice;
  if (id === "") throw usageError("The run id is empty.", command);
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
    `${id} matches ${matches.length} runs. Give more characters: ${named}${matches.length > MAX_NAMED ? ", …" : ""}.`,
    command,
  );
}

/** Looks the run up by its exact id first, because listing thousands of runs takes seconds. */
async function showNamed(store: Pick<RunStore, "show">, id: string): Promise<StoredRun | undefined> {
  try {
    return await store.show(id);
  } catch (error) {
    if (EngineError.is(error, "run.not_found") || EngineError.is(error, "run.invalid_id")) return undefined;
    throw error;
  }
}
