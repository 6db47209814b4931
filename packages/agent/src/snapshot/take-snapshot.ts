import type { SessionBoundary } from "../checkpoint/session-boundary.ts";
import { progressOf } from "../checkpoint/store-state.ts";
import { openCallsOf } from "../conversation/open-calls.ts";
import type { SessionCore } from "../session/session-core.ts";
import { parseSnapshot } from "./parse-snapshot.ts";
import { type SessionSnapshot, SNAPSHOT_VERSION } from "./session-snapshot.ts";

function stateOf({ state }: SessionCore, hasOpenCalls: boolean): SessionSnapshot["state"] {
  // Tool calls without results mean that an input is still being processed.
  if (hasOpenCalls) return "processing";
  return state === "closed" ? "idle" : state;
}

/** Creates a snapshot as a deep copy that is independent of the session. */
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

/**
 * Takes a snapshot of the current state, even while the session is processing input. A response in progress is not
 * included.
 */
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
