import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import { progressOf } from "../checkpoint/store-state.ts";
import { openCallsOf } from "../conversation/open-calls.ts";
import type { SessionCore } from "../session/session-core.ts";
import { parseSnapshot } from "./parse-snapshot.ts";
import { type SessionSnapshot, SNAPSHOT_VERSION } from "./session-snapshot.ts";

function stateOf({ state }: SessionCore, hasOpenCalls: boolean): SessionSnapshot["state"] {
  // With open calls a session is in the middle of an input, whoever it waits for.
  if (hasOpenCalls) return "processing";
  return state === "closed" ? "idle" : state;
}

/** A snapshot of a boundary: a copy that nothing of the session changes any more. */
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

/** The whole session as it is now, also while it works: an answer that is on its way is not in it. */
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
