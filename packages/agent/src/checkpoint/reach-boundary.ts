import { messageOf } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import type { BoundaryKind, SessionBoundary, SessionProgress } from "./session-boundary.ts";
import { progressOf, storeState } from "./store-state.ts";

function warnOfUnstoredState(core: SessionCore, error: unknown): void {
  const message = `The state in which the session stopped could not be stored: ${messageOf(error)}`;
  core.emit("warning", { message, kind: "boundary_not_kept" });
}

/** Returns the state of a session that has neither a parent nor subagents. */
function createBoundary(core: SessionCore, kind: BoundaryKind): SessionBoundary {
  return {
    ...{ kind, turns: core.conversation.turns, systemPrompt: core.systemPrompt },
    // A getter, so that the hook reads the current value. Steering messages may arrive while the hook is waiting.
    get progress(): SessionProgress {
      return progressOf(core);
    },
  };
}

/**
 * Stores the state of a session that has a parent or subagents. Includes the states of all related sessions: the root
 * session and all its subagents.
 */
async function storeFamily(core: SessionCore, kind: BoundaryKind): Promise<void> {
  storeState(core, kind);
  // Calls of a completed round are not repeated on resume, so their ids are no longer needed.
  if (kind !== "intents") core.subagents.clearReceivedInputs();
  await core.subagents.save();
}

/**
 * Passes the session state to the `onBoundary` hook and waits until it is stored. Rejects with the hook's error,
 * because nothing may take effect that is not stored. If the session is stopping, only reports the failure, because the
 * state that was stored before still exists. See architecture: decision 22.
 */
export async function reachBoundary(core: SessionCore, kind: BoundaryKind): Promise<void> {
  if (core.onBoundary === undefined) return;
  core.isBoundarySuggested = false;
  core.storedTurnCount = core.conversation.turns.length;
  core.storedUsage = core.conversation.unrecordedUsage;
  try {
    await (core.storedState === undefined ? core.onBoundary(createBoundary(core, kind)) : storeFamily(core, kind));
  } catch (error) {
    if (!core.signal.aborted) throw error;
    warnOfUnstoredState(core, error);
  }
}

/**
 * Stores the session state if the host has requested this in addition to the regular times. See engine:
 * CheckpointSuggester.
 */
export async function reachSuggestedBoundary(core: SessionCore): Promise<void> {
  if (core.isBoundarySuggested) await reachBoundary(core, "suggested");
}

/**
 * Stores the session state if messages or usage were added since it was last stored. Called before a model call that
 * will not complete, so that a resumed session does not lose them. Failures are reported; they do not replace the
 * reason for the stop.
 */
export async function storeUnsavedTurns(core: SessionCore): Promise<void> {
  const { conversation, storedTurnCount, storedUsage, steering, followUps } = core;
  const isPaidFor = conversation.unrecordedUsage !== storedUsage;
  if (conversation.turns.length <= storedTurnCount && steering.length + followUps.length === 0 && !isPaidFor) return;
  try {
    await reachBoundary(core, "stopped");
  } catch (error) {
    warnOfUnstoredState(core, error);
  }
}
