import { EngineError, type RunStore, type StoredRun } from "@switchyard/contracts";

/** Result of `findStoredRun`: the run if exactly one matches, otherwise the ids of all runs that match. */
export type FoundRun = { readonly run: StoredRun } | { readonly matches: readonly string[] };

/** Name for the newest stored run, in place of an id. */
const NEWEST = "last";

/**
 * Finds the run with a given id, or the only run whose id begins with the given text. `last` finds the newest run. If no
 * run or several runs match, returns the matching ids.
 */
export async function findStoredRun(store: Pick<RunStore, "list" | "show">, id: string): Promise<FoundRun> {
  // Tries the exact id first, because listing thousands of runs takes seconds.
  const run = await showExact(store, id);
  if (run !== undefined) return { run };
  const ids = (await store.list()).map(({ runId }) => runId);
  const matches = id === NEWEST ? ids.slice(0, 1) : ids.filter((candidate) => candidate.startsWith(id));
  const [match] = matches;
  return match !== undefined && matches.length === 1 ? { run: await store.show(match) } : { matches };
}

async function showExact(store: Pick<RunStore, "show">, id: string): Promise<StoredRun | undefined> {
  try {
    return await store.show(id);
  } catch (error) {
    if (EngineError.is(error, "run.not_found") || EngineError.is(error, "run.invalid_id")) return undefined;
    throw error;
  }
}
