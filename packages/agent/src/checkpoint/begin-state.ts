import { Buffer } from "node:buffer";
import { Conversation } from "../conversation/conversation.ts";
import { openCallsOf } from "../conversation/open-calls.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { SessionOptions } from "../session/session-options.ts";
import type { SessionSnapshot } from "../snapshot/session-snapshot.ts";
import type { SessionBoundary } from "./session-boundary.ts";

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
  | "systemPrompt"
  | "storedTurnCount"
  | "isBoundarySuggested"
  | "hasInheritedCalls"
  | "isCostUnknown"
  | "storedState"
>;

/** A UUID in one piece: Node joins it from many, and they would stay until somebody reads it. */
function newId(): string {
  return Buffer.from(crypto.randomUUID()).toString("latin1");
}

/** The state of a new session: an earlier conversation, and nothing done yet. */
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

/** The state at a boundary: what the session was made of, then every turn of its own, counted as when it happened. */
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

/** The state that was saved. Its system prompt is of no use to another model family. */
function loadedState(options: SessionOptions, snapshot: SessionSnapshot): State {
  const { boundary, profile, state } = snapshot;
  const systemPrompt = profile === options.profile.id ? boundary.systemPrompt : undefined;
  const isWaiting = state === "awaiting_input";
  return { ...stateAt({ ...boundary, systemPrompt }), state: isWaiting ? "awaiting_input" : "idle" };
}

/** Where a session begins: at a boundary of an earlier one, where one was saved, or with nothing done. */
export function beginState(options: SessionOptions): State {
  const { resumeFrom, snapshot } = options;
  if (snapshot !== undefined) return loadedState(options, snapshot);
  return resumeFrom === undefined ? freshState(options) : stateAt(resumeFrom);
}
