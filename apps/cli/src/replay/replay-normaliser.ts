import { createNormaliser } from "@switchyard/llm/cassette";

/** What is another one in every checkout and every release of the system, and says nothing about the agent. */
const LINES = /^(Git branch|Branch|OS version|Platform|Knowledge cutoff): .*$/gm;

/** Takes out what differs between a run and its replay although nothing has changed. */
export function createReplayNormaliser(workspaces: readonly string[]): (text: string) => string {
  const normalise = createNormaliser({ workspace: workspaces });
  return (text) => normalise(text).replace(LINES, "$1: <this>");
}
