import type { LaunchTarget } from "@switchyard/adapter-kit";

/** State of a session. */
export interface CopilotState {
  readonly target: LaunchTarget;
  /** True if the command continues without further prompts until it reports the task as done. */
  readonly autopilot: boolean;
  /** Id of the session, from the command's last line. */
  sessionId: string;
  /** Exit code in the last line of the turn. `undefined` if there was none. */
  resultCode: number | undefined;
  /** True if the command reported the task as done in this turn. */
  isTaskDone: boolean;
  /** The command's summary of the finished task; empty if the command reported none. */
  summary: string;
  /** Error message of the command in this turn; empty if there was none. */
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
