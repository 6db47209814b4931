import type { Board, TranscriptMessage } from "@switchyard/contracts";

/** Key of the run's progress on the board (shared run state). */
const VARIABLE = "__adapter_conversation";

/** Progress of a run. */
export interface ConversationState {
  /** The agent's session id; empty until the agent reports it. */
  readonly sessionId: string;
  /** Number of finished turns. */
  readonly turns: number;
  /** True if the last turn was started and did not complete, because it was interrupted or failed. */
  readonly isRunning: boolean;
  /** Prompts that are not completed yet. The first one is the prompt of the current turn. */
  readonly prompts: readonly string[];
  /** Transcript so far. */
  readonly transcript: readonly TranscriptMessage[];
  /** Number of tokens that the finished turns used. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Duration of the finished turns, in milliseconds. */
  readonly durationMs: number;
  /** Text of the agent's last message. */
  readonly finalMessage: string;
  /** Model that responded. */
  readonly model: string;
}

/** State of a run that has not started. */
const NO_CONVERSATION: ConversationState = {
  ...{ sessionId: "", turns: 0, isRunning: false, prompts: [], transcript: [] },
  ...{ inputTokens: 0, outputTokens: 0, durationMs: 0, finalMessage: "", model: "" },
};

function isState(value: unknown): value is ConversationState {
  if (typeof value !== "object" || value === null) return false;
  const has = (name: keyof ConversationState, type: string): boolean => typeof Reflect.get(value, name) === type;
  const lists = [Reflect.get(value, "prompts"), Reflect.get(value, "transcript")];
  const numbers = ["turns", "inputTokens", "outputTokens", "durationMs"] as const;
  return (
    lists.every(Array.isArray) &&
    has("sessionId", "string") &&
    has("isRunning", "boolean") &&
    has("finalMessage", "string") &&
    numbers.every((name) => has(name, "number"))
  );
}

/**
 * Returns the run's progress that is stored on its board (shared run state). If none is stored, returns the initial
 * state.
 */
export function readConversation(board: Pick<Board, "getVar">): ConversationState {
  const value = board.getVar(VARIABLE);
  return isState(value) ? value : NO_CONVERSATION;
}

/** Stores the run's progress on its board (shared run state). */
export function writeConversation(board: Pick<Board, "setVar">, state: ConversationState): void {
  board.setVar(VARIABLE, { ...state });
}
