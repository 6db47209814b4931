import type { LaunchTarget } from "@switchyard/adapter-kit";

/** State of a session. */
export interface CopilotState {
  readonly target: LaunchTarget;
  /** True if `copilot` continues without further prompts until it reports the task as done. */
  readonly autopilot: boolean;
  /** Id of the session, which `copilot` prints in its last line of output. */
  sessionId: string;
  /** Exit code that `copilot` printed in the last line of the turn. `undefined` if it printed none. */
  resultCode: number | undefined;
  /** True if `copilot` reported the task as done in this turn. */
  isTaskDone: boolean;
  /** Summary of the finished task, reported by `copilot`. Empty if it reported none. */
  summary: string;
  /** Error message that `copilot` reported in this turn. Empty if it reported none. */
  problem: string;
  /** HTTP status with which the model's API rejected a request. `undefined` if no request was rejected. */
  status: number | undefined;
}

/** Returns the state of a new session. */
export function createCopilotState(target: LaunchTarget, autopilot: boolean): CopilotState {
  const turn = { resultCode: undefined, isTaskDone: false, summary: "", problem: "", status: undefined };
  return { target, autopilot, sessionId: "", ...turn };
}

/** Resets the state for a new turn. */
export function beginTurn(state: CopilotState): void {
  state.resultCode = undefined;
  state.isTaskDone = false;
  state.summary = "";
  state.problem = "";
  state.status = undefined;
}
