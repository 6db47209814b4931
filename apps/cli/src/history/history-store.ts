import { DEPENDENCY, type Dependencies, type RunStore } from "@switchyard/contracts";
import { createDependencies } from "@switchyard/engine";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Where the run is that a new run continues. */
export interface ContinuedRun extends StoreOptions {
  /** Id of the run; `undefined` for a new conversation. */
  readonly forkedFrom?: string | undefined;
  /** Where runs are; opened from the options by default. */
  readonly runs?: Pick<RunStore, "load"> | undefined;
}

/**
 * Dependencies of a run with the conversation that it continues, as its engine stored it: a transcript leaves out what
 * providers need back, and the system prompt that their prompt caches know.
 */
export function historyOf(context: CommandContext, { forkedFrom, runs, ...options }: ContinuedRun): Dependencies {
  const deps = createDependencies();
  deps.set(DEPENDENCY.historyStore, {
    load: async () =>
      forkedFrom === undefined ? undefined : (runs ?? (await openRunStore(context, options))).load(forkedFrom),
  });
  return deps;
}
