import type { TurnEnd, TurnScope } from "@switchyard/adapter-kit";
import type { CopilotState } from "./copilot-state.ts";
import { readTokens } from "./read-tokens.ts";

/**
 * Says how the turn ended, once the process has ended by itself: a process that somebody ends prints a last line that
 * looks like success. agent-adapter: Copilot CLI.
 */
export async function finishTurn({ exitCode }: TurnEnd, turn: TurnScope, state: CopilotState): Promise<void> {
  const { resultCode, problem, status, autopilot, isTaskDone } = state;
  if (resultCode === undefined) return;
  const tokens = await readTokens(state);
  if (tokens !== undefined) turn.turnUsage(tokens);
  if (resultCode === 0 && exitCode === 0) {
    turn.report(autopilot && !isTaskDone ? { kind: "incomplete" } : { kind: "success" });
    return;
  }
  const isSignedOut = status === 401 || status === 403;
  turn.report({
    kind: "failure",
    problem: problem || `it ended with the exit code ${resultCode === 0 ? exitCode : resultCode}`,
    ...(isSignedOut ? { code: "adapter.response_error" } : {}),
  });
}
