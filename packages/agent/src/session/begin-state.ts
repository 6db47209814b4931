import { Conversation } from "./conversation.ts";
import { openCallsOf } from "./open-calls.ts";
import type { SessionBoundary } from "./session-boundary.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionCore } from "./session-core.ts";
import type { SessionOptions } from "./session-options.ts";

/** What of a session changes while it goes on, or depends on where it began. */
type State = Pick<
  SessionCore,
  | "id"
  | "conversation"
  | "firstTurn"
  | "state"
  | "rounds"
  | "steering"
  | "followUps"
  | "isContextHigh"
  | "warnedPattern"
  | "wholePrompt"
  | "keptTurns"
  | "isBoundarySuggested"
  | "hasInheritedCalls"
>;

/** The state of a new session: an earlier conversation, and nothing done yet. */
function freshState({ history = [], createId = () => crypto.randomUUID() }: SessionOptions, window: number): State {
  const conversation = new Conversation(history, window);
  return {
    id: createId(),
    conversation,
    firstTurn: conversation.turns.length,
    state: "idle",
    rounds: 0,
    steering: [],
    followUps: [],
    isContextHigh: false,
    warnedPattern: undefined,
    wholePrompt: undefined,
    keptTurns: 0,
    isBoundarySuggested: false,
    hasInheritedCalls: false,
  };
}

/** The state at a boundary: what the session was made of, then every turn of its own, counted as when it happened. */
function stateAt({ turns, systemPrompt, progress }: SessionBoundary, window: number): State {
  const { sessionId, firstTurn, rounds, isContextHigh, warnedPattern, steering, followUps } = progress;
  const conversation = new Conversation(turns.slice(0, firstTurn), window);
  for (const turn of turns.slice(firstTurn)) conversation.append(turn);
  return {
    id: sessionId,
    conversation,
    firstTurn,
    state: "idle",
    rounds,
    steering: [...steering],
    followUps: [...followUps],
    isContextHigh,
    warnedPattern,
    wholePrompt: systemPrompt,
    keptTurns: turns.length,
    isBoundarySuggested: false,
    hasInheritedCalls: openCallsOf(turns).length > 0,
  };
}

/** Where a session begins: at a boundary of an earlier one, or with nothing done. */
export function beginState(options: SessionOptions, { loopDetectionWindow }: SessionConfig): State {
  const { resumeFrom } = options;
  return resumeFrom === undefined ? freshState(options, loopDetectionWindow) : stateAt(resumeFrom, loopDetectionWindow);
}
