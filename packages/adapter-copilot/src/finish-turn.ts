import type { TurnEnd, TurnScope } from "@switchyard/adapter-kit";
import type { CopilotState } from "./copilot-state.ts";
import { readTokens } from "./read-tokens.ts";

/**
 * Exit statuses of a process that was asked to stop. The last line of such a process reports success although the work
 * was interrupted.
 */
const STOPPED: ReadonlySet<string | number> = new Set(["SIGHUP", "SIGINT", "SIGTERM", 129, 130, 143]);

/**
 * Reports how the turn ended, from the last line that `copilot` printed, once the process has ended. The line decides
 * even if the process failed after printing it, unless the process was asked to stop. See agent-adapter: Copilot CLI.
 */
export async function finishTurn({ exitCode, signal }: TurnEnd, turn: TurnScope, state: CopilotState): Promise<void> {
  const { resultCode, problem, status, autopilot, isTaskDone, summary } = state;
  if (resultCode === undefined || STOPPED.has(signal ?? exitCode)) return;
  const tokens = await readTokens(state);
  if (tokens !== undefined) turn.turnUsage(tokens);
  if (resultCode === 0) {
    turn.report(autopilot && !isTaskDone ? { kind: "incomplete" } : { kind: "success", text: summary });
    return;
  }
  const isSignedOut = status === 401 || status === 403;
  turn.report({
    kind: "failure",
    problem: problem || `it ended with the exit code ${resultCode}`,
    ...(isSignedOut ? { code: "adapter.response_error" } : {}),
  });
}
