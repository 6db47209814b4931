import type { Board, TranscriptMessage } from "@switchyard/contracts";

/** Variable of the board that tells how far a run is. */
const VARIABLE = "__adapter_conversation";

/** How far a run is. */
export interface ConversationState {
  /** Id of the agent's own session; empty until it is known. */
  readonly sessionId: string;
  /** Turns that are over. */
  readonly turns: number;
  /** Whether a turn was begun that did not come to its end: it was cut off, or it failed. */
  readonly isRunning: boolean;
  /** What is still to be said to the agent, the turn under way first. */
  readonly prompts: readonly string[];
  /** What was said so far. */
  readonly transcript: readonly TranscriptMessage[];
  /** Tokens of the turns that are over. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Time of the turns that are over, in milliseconds. */
  readonly durationMs: number;
  /** The agent's last words. */
  readonly finalMessage: string;
  /** Model that answered. */
  readonly model: string;
}

/** The state of a run that has just begun. */
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

/** The state on a board; that of a run that has just begun where there is none. */
export function readConversation(board: Pick<Board, "getVar">): ConversationState {
  const value = board.getVar(VARIABLE);
  return isState(value) ? value : NO_CONVERSATION;
}

/** Puts the state on a board. */
export function writeConversation(board: Pick<Board, "setVar">, state: ConversationState): void {
  board.setVar(VARIABLE, { ...state });
}
