import { Buffer } from "node:buffer";
import { Conversation } from "../conversation/conversation.ts";
import { openCallsOf } from "../conversation/open-calls.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { SessionSnapshot } from "../snapshot/session-snapshot.ts";
import type { SessionBoundary } from "./session-boundary.ts";

/** Session state that changes during the session, or depends on whether the session is new, loaded or resumed. */
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
  | "systemPrompt"
  | "storedTurnCount"
  | "isBoundarySuggested"
  | "hasInheritedCalls"
  | "isCostUnknown"
  | "storedState"
>;

/** Returns a UUID as a flat string. Node concatenates UUIDs from many parts, all of which would stay in memory. */
function newId(): string {
  return Buffer.from(crypto.randomUUID()).toString("latin1");
}

/** Returns the state of a new session, which may begin with an earlier conversation. */
function freshState({ history = [], createId = newId }: SessionOptions): State {
  const conversation = new Conversation(history);
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
    systemPrompt: undefined,
    storedTurnCount: 0,
    isBoundarySuggested: false,
    hasInheritedCalls: false,
    isCostUnknown: false,
    storedState: undefined,
  };
}

/**
 * Returns the session state that was stored earlier. The constructor of `Conversation` receives only the initial
 * history, which does not count as turns of the session. The later turns are appended, so that they count as before.
 */
function stateAt({ turns, systemPrompt, progress }: SessionBoundary): State {
  const { sessionId, firstTurn, rounds, isContextHigh, warnedPattern, steering, followUps } = progress;
  const conversation = new Conversation(turns.slice(0, firstTurn));
  for (const turn of turns.slice(firstTurn)) conversation.append(turn);
  if (progress.unrecordedUsage !== undefined) conversation.addUsage(progress.unrecordedUsage);
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
    systemPrompt,
    storedTurnCount: turns.length,
    isBoundarySuggested: false,
    hasInheritedCalls: openCallsOf(turns).length > 0,
    isCostUnknown: progress.isCostUnknown ?? false,
    storedState: undefined,
  };
}

/** Returns the state of a saved session. The saved system prompt is dropped if the model family differs. */
function loadedState(options: SessionOptions, snapshot: SessionSnapshot): State {
  const { boundary, profile, state } = snapshot;
  const systemPrompt = profile === options.profile.id ? boundary.systemPrompt : undefined;
  const isWaiting = state === "awaiting_input";
  return { ...stateAt({ ...boundary, systemPrompt }), state: isWaiting ? "awaiting_input" : "idle" };
}

/** Returns the initial state of a session: from a state stored for resuming, from a saved session, or new. */
export function beginState(options: SessionOptions): State {
  const { resumeFrom, snapshot } = options;
  if (snapshot !== undefined) return loadedState(options, snapshot);
  return resumeFrom === undefined ? freshState(options) : stateAt(resumeFrom);
}
