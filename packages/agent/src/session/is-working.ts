import type { SessionCore } from "./session-core.ts";

/** Whether an input is being worked on, also while a tool waits for the user's answer. loop: §2.3. */
export function isWorking({ state, toolQuestions }: Pick<SessionCore, "state" | "toolQuestions">): boolean {
  return state === "processing" || (state === "awaiting_input" && toolQuestions > 0);
}
