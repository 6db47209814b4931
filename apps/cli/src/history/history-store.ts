import { DEPENDENCY, type Dependencies, type RunStore } from "@switchyard/contracts";
import { createDependencies } from "@switchyard/engine";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Earlier run whose conversation a new run continues, with the options that select its store. */
export interface ContinuedRun extends StoreOptions {
  /** Id of the earlier run; `undefined` for a new conversation. */
  readonly forkedFrom?: string | undefined;
  /** Store that contains the earlier run. Default: opened from the options. */
  readonly runs?: Pick<RunStore, "load"> | undefined;
}

/**
 * Returns the dependencies with which an engine loads the earlier conversation in its own stored form. A transcript is
 * not sufficient. It lacks data that providers require in later requests, and the system prompt, which must stay the
 * same for prompt caching.
 */
export function historyOf(context: CommandContext, { forkedFrom, runs, ...options }: ContinuedRun): Dependencies {
  const deps = createDependencies();
  deps.set(DEPENDENCY.historyStore, {
    load: async () =>
      forkedFrom === undefined ? undefined : (runs ?? (await openRunStore(context, options))).load(forkedFrom),
  });
  return deps;
}
