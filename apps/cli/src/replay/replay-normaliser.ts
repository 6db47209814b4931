import { createNormaliser } from "@switchyard/llm/cassette";

/** Lines that differ between checkouts or system releases, regardless of the agent. */
const LINES = /^(Git branch|Branch|OS version|Platform|Knowledge cutoff): .*$/gm;

/**
 * Returns a function that replaces text in requests that may differ between a run and its replay although the agent is
 * unchanged.
 */
export function createReplayNormaliser(workspaces: readonly string[]): (text: string) => string {
  const normalise = createNormaliser({ workspace: workspaces });
  return (text) => normalise(text).replace(LINES, "$1: <this>");
}
