import { EngineError, type SessionMessage } from "@switchyard/contracts";
import type { ConversationState } from "./conversation-state.ts";
import { isResumedPrompt, originalPrompt, promptOf, resumedPrompt } from "./prompt-of.ts";

/** A session that the agent was to resume and does not have. */
export interface LostSession {
  /** The conversation up to the turn that could not begin. */
  readonly state: ConversationState;
  /** What the agent said. */
  readonly error: EngineError;
}

/** True if an agent said that it does not have the session it was asked to resume. */
export function isSessionLost(error: unknown): error is EngineError {
  return EngineError.is(error, "adapter.session_not_found");
}

/** Says that a new session begins, why, and what nobody knows about the earlier one. */
export function lostSessionNotice({ state, error }: LostSession): string {
  const [prompt = ""] = state.prompts;
  const reason = `The session ${state.sessionId} cannot be resumed, a new one begins: ${String(error.details["problem"])}`;
  const unknown = " What was done in the earlier session is unknown; the agent is told to look before it acts.";
  return isResumedPrompt(prompt) ? `${reason}.${unknown}` : `${reason}.`;
}

/**
 * The state to continue with in a new session, which knows nothing: the next prompt holds the whole conversation, and
 * the warning about a turn that was cut off. `task` is the first prompt of the run with everything before it.
 */
export function stateWithoutSession(state: ConversationState, task: string): ConversationState {
  const [prompt = "", ...later] = state.prompts;
  const whole = state.turns === 0 ? task : withTranscript(state, originalPrompt(prompt));
  const next = isResumedPrompt(prompt) ? resumedPrompt(whole) : whole;
  return { ...state, sessionId: "", isRunning: false, prompts: [next, ...later] };
}

function withTranscript({ transcript }: ConversationState, prompt: string): string {
  const said = transcript.flatMap(({ role, content }): SessionMessage[] => (content === "" ? [] : [{ role, content }]));
  return promptOf({ messages: [...said, { role: "user", content: prompt }] }, false);
}
