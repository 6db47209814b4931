import type { SessionCore } from "../session/session-core.ts";
import { BOUNDARY_VERSION, type BoundaryKind, type SessionBoundary, type SessionProgress } from "./session-boundary.ts";
import type { StoredState } from "./stored-state.ts";

/** Returns the current session state other than turns. */
export function progressOf(core: SessionCore): SessionProgress {
  const { id, firstTurn, rounds, isContextHigh, warnedPattern, steering, followUps } = core;
  const progress: { -readonly [Field in keyof SessionProgress]: SessionProgress[Field] } = {
    version: BOUNDARY_VERSION,
    sessionId: id,
    firstTurn,
    rounds,
    isContextHigh,
    steering: [...steering],
    followUps: [...followUps],
  };
  // Fields are assigned one by one: object spread is slow, and the state is stored twice per tool round.
  if (warnedPattern !== undefined) progress.warnedPattern = warnedPattern;
  if (core.config.maxWallTimeMs > 0) progress.activeMs = core.activeTimer.activeMs;
  const { unrecordedUsage } = core.conversation;
  if (unrecordedUsage !== undefined) progress.unrecordedUsage = unrecordedUsage;
  if (core.isCostUnknown) progress.isCostUnknown = true;
  return progress;
}

/** Remembers the current session state as the last stored state. */
export function storeState(core: SessionCore, kind: BoundaryKind): void {
  const progress = progressOf(core);
  core.storedState = {
    ...{ kind, progress, turnCount: core.conversation.turns.length },
    steering: [...progress.steering],
    followUps: [...progress.followUps],
  };
}

function progressAt({ progress, steering, followUps }: StoredState): SessionProgress {
  return { ...progress, steering: [...steering], followUps: [...followUps] };
}

function childrenOf({ subagents }: SessionCore): SessionBoundary["children"] {
  const children = subagents.boundaries();
  return children.length === 0 ? undefined : children;
}

/** Returns the complete last stored state of a session, including the states of its subagents. */
export function boundaryAt(core: SessionCore, stored: StoredState): SessionBoundary {
  const { conversation, systemPrompt } = core;
  const turns = conversation.turns.slice(0, stored.turnCount);
  return { kind: stored.kind, turns, systemPrompt, progress: progressAt(stored), children: childrenOf(core) };
}

/**
 * Returns the last stored states of a session and its subagents. The fields are evaluated when they are read. Messages
 * may arrive and subagents may advance in between, so read all fields at once.
 */
export function lastBoundary(core: SessionCore, first: StoredState): SessionBoundary {
  const stored = (): StoredState => core.storedState ?? first;
  return {
    get kind() {
      return stored().kind;
    },
    get turns() {
      return core.conversation.turns.slice(0, stored().turnCount);
    },
    get systemPrompt() {
      return core.systemPrompt;
    },
    get progress() {
      return progressAt(stored());
    },
    get children() {
      return childrenOf(core);
    },
  };
}
