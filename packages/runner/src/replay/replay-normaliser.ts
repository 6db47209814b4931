import { createNormaliser } from "@switchyard/llm/cassette";

/** Matches lines that depend on the checkout or the release of the operating system, not on the agent. */
const LINES = /^(Git branch|Branch|Current branch|OS version|Platform|Knowledge cutoff): .*$/gm;

/**
 * Returns a function that replaces those parts of a request that can differ between a run and its replay even if the
 * agent is unchanged.
 */
export function createReplayNormaliser(
  workspaces: readonly string[],
  runIds: readonly string[] = [],
): (text: string) => string {
  const normalise = createNormaliser({ workspace: workspaces, runId: runIds });
  return (text) => normalise(text).replace(LINES, "$1: <this>");
}
