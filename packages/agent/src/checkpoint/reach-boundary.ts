import { messageOf } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { BoundaryKind, SessionBoundary, SessionProgress } from "./session-boundary.ts";
import { progressOf, storeState } from "./store-state.ts";

function warnOfUnstoredState(core: SessionCore, error: unknown): void {
  const message = `The state in which the session stopped could not be kept: ${messageOf(error)}`;
  core.emit("warning", { message, kind: "boundary_not_kept" });
}

/** Boundary of a session without parent and children. */
class SingleSessionBoundary implements SessionBoundary {
  // Shared by all boundaries: a separate accessor would give each object its own hidden class.
  static readonly #PROGRESS = {
    enumerable: true,
    get(this: SingleSessionBoundary): SessionProgress {
      return progressOf(this.#core);
    },
  };

  readonly #core: SessionCore;
  readonly kind: BoundaryKind;
  readonly turns: readonly Turn[];
  readonly systemPrompt: string | undefined;
  /** Progress at the time of access, because messages may arrive while the hook waits. */
  declare readonly progress: SessionProgress;

  constructor(core: SessionCore, kind: BoundaryKind) {
    this.#core = core;
    this.kind = kind;
    this.turns = core.conversation.turns;
    this.systemPrompt = core.systemPrompt;
    // An own property, so that serializing the boundary includes it.
    Object.defineProperty(this, "progress", SingleSessionBoundary.#PROGRESS);
  }
}

/** Stores a boundary for a session that has a parent or children. */
async function storeFamily(core: SessionCore, kind: BoundaryKind): Promise<void> {
  storeState(core, kind);
  // After the outcomes of a round, its calls are not repeated.
  if (kind !== "intents") core.subagents.clearReceivedInputs();
  await core.subagents.save();
}

/**
 * Passes the state to the boundary hook and waits for it. Rejects with the hook's error, because nothing may take
 * effect that is not stored. If the session is stopping, it only reports the failure, because the previous boundary
 * still exists. architecture: decision 22.
 */
export async function reachBoundary(core: SessionCore, kind: BoundaryKind): Promise<void> {
  if (core.onBoundary === undefined) return;
  core.isBoundarySuggested = false;
  core.storedTurnCount = core.conversation.turns.length;
  core.storedUsage = core.conversation.unrecordedUsage;
  try {
    await (core.storedState === undefined
      ? core.onBoundary(new SingleSessionBoundary(core, kind))
      : storeFamily(core, kind));
  } catch (error) {
    if (!core.signal.aborted) throw error;
    warnOfUnstoredState(core, error);
  }
}

/** Reaches a boundary if one was suggested. engine: CheckpointSuggester. */
export async function reachSuggestedBoundary(core: SessionCore): Promise<void> {
  if (core.isBoundarySuggested) await reachBoundary(core, "suggested");
}

/**
 * Stores the state before a model call that will not complete, if messages or usage were added since the last boundary,
 * so that a resumed session does not lose them. Failures are reported; they do not replace the reason for the stop.
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
