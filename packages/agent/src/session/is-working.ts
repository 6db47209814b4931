import type { SessionCore } from "./session-core.ts";

/** Returns whether an input is being processed, including while a tool waits for the user's reply. See loop: §2.3. */
export function isWorking({ state, toolQuestions }: Pick<SessionCore, "state" | "toolQuestions">): boolean {
  return state === "processing" || (state === "awaiting_input" && toolQuestions > 0);
}
