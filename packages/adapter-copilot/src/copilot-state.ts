import type { LaunchTarget } from "@switchyard/adapter-kit";

/** What is kept of one session. */
export interface CopilotState {
  readonly target: LaunchTarget;
  /** Whether the command goes on by itself until it calls its task done. */
  readonly autopilot: boolean;
  /** Id of the session, as the command says it in its last line. */
  sessionId: string;
  /** Exit code in the last line of the turn, where there was one. */
  resultCode: number | undefined;
  /** Whether the command called the task done in this turn. */
  isTaskDone: boolean;
  /** What the command said about the task when it called it done; empty if it did not. */
  summary: string;
  /** What the command said went wrong in this turn. */
  problem: string;
  /** Status with which the model's API refused, where it did. */
  status: number | undefined;
}

/** The state of a session that has not begun. */
export function createCopilotState(target: LaunchTarget, autopilot: boolean): CopilotState {
  const turn = { resultCode: undefined, isTaskDone: false, summary: "", problem: "", status: undefined };
  return { target, autopilot, sessionId: "", ...turn };
}

/** Forgets the turn before. */
export function beginTurn(state: CopilotState): void {
  state.resultCode = undefined;
  state.isTaskDone = false;
  state.summary = "";
  state.problem = "";
  state.status = undefined;
}
