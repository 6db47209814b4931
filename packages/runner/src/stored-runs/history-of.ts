import { DEPENDENCY, type Dependencies, type RunStore } from "@switchyard/contracts";
import { createDependencies } from "@switchyard/engine";

/**
 * Returns dependencies that give an engine the conversation of an earlier run, in the engine's own format. Pass them to
 * `startSession` as `deps`. A transcript of the conversation is not sufficient: it lacks data that providers require in
 * later requests, and the system prompt, which must stay the same for prompt caching. `openStore` opens the store that
 * contains the earlier run when an engine asks for it. `runId`: `undefined` for a new conversation.
 */
export function historyOf(
  runId: string | undefined,
  openStore: () => Pick<RunStore, "load"> | Promise<Pick<RunStore, "load">>,
): Dependencies {
  const deps = createDependencies();
  deps.set(DEPENDENCY.historyStore, {
    load: async () => (runId === undefined ? undefined : (await openStore()).load(runId)),
  });
  return deps;
}
