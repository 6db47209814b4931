import { EngineError, type SessionMessage } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";
import { isResumedPrompt, originalPrompt, promptOf, resumedPrompt } from "./prompt-of.ts";

/** A session that could not be resumed, because the agent does not have it. */
export interface LostSession {
  /** State before the turn that could not start. */
  readonly state: ConversationState;
  /** Error that the agent reported for the resume. */
  readonly error: EngineError;
}

/** Returns true if the agent reported that it does not have the session to resume. */
export function isSessionLost(error: unknown): error is EngineError {
  return EngineError.is(error, "adapter.session_not_found");
}

/**
 * Returns a notice for the user: a new session is started, why, and that the outcome of the earlier session is unknown.
 */
export function lostSessionNotice({ state, error }: LostSession): string {
  const [prompt = ""] = state.prompts;
  const reason = `The session ${state.sessionId} cannot be resumed, so a new one was started: ${String(error.details["problem"])}`;
  const unknown = " What was done in the earlier session is unknown; the agent is asked to check the workspace first.";
  return isResumedPrompt(prompt) ? `${reason}.${unknown}` : `${reason}.`;
}

/**
 * Returns the state for a new session without history. Its next prompt contains the whole conversation and, if a turn
 * was interrupted, a warning about it. `task` is the first prompt of the run, including the conversation before it.
 */
export function stateWithoutSession(state: ConversationState, task: string): ConversationState {
  const [prompt = "", ...later] = state.prompts;
  const withHistory = state.turns === 0 ? task : withTranscript(state, originalPrompt(prompt));
  const next = isResumedPrompt(prompt) ? resumedPrompt(withHistory) : withHistory;
  return { ...state, sessionId: "", isRunning: false, prompts: [next, ...later] };
}

function withTranscript({ transcript }: ConversationState, prompt: string): string {
  const messages = transcript.flatMap(({ role, content }): SessionMessage[] =>
    content === "" ? [] : [{ role, content }],
  );
  return promptOf({ messages: [...messages, { role: "user", content: prompt }] }, false);
}
