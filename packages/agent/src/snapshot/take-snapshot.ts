import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import { progressOf } from "../checkpoint/store-state.ts";
import { openCallsOf } from "../conversation/open-calls.ts";
import type { SessionCore } from "../session/session-core.ts";
import { parseSnapshot } from "./parse-snapshot.ts";
import { type SessionSnapshot, SNAPSHOT_VERSION } from "./session-snapshot.ts";

function stateOf({ state }: SessionCore, hasOpenCalls: boolean): SessionSnapshot["state"] {
  // With open calls, a session is in the middle of an input.
  if (hasOpenCalls) return "processing";
  return state === "closed" ? "idle" : state;
}

/** Returns a snapshot of a boundary: a copy that is independent of the session. */
export function snapshotOf(
  core: SessionCore,
  state: SessionSnapshot["state"],
  boundary: SessionBoundary,
): SessionSnapshot {
  const snapshot = {
    version: SNAPSHOT_VERSION,
    profile: core.profile.id,
    savedAt: core.events.timestamp(),
    state,
    boundary,
  };
  return parseSnapshot(JSON.parse(JSON.stringify(snapshot)));
}

/** Returns a snapshot of the current state, even while the session works. A response in progress is not included. */
export function takeSnapshot(core: SessionCore): SessionSnapshot {
  const { turns } = core.conversation;
  const hasOpenCalls = openCallsOf(turns).length > 0;
  const kind = hasOpenCalls ? "intents" : "suggested";
  const children = core.subagents.boundaries();
  return snapshotOf(core, stateOf(core, hasOpenCalls), {
    ...{ kind, turns, systemPrompt: core.systemPrompt, progress: progressOf(core) },
    ...(children.length === 0 ? {} : { children }),
  });
}
