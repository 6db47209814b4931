import { messageOf } from "@switchyard/contracts";
import type { Turn } from "../conversation/turn.ts";
import type { SessionCore } from "../session/session-core.ts";
import type { BoundaryKind, SessionBoundary, SessionProgress } from "./session-boundary.ts";
import { progressOf, storeState } from "./store-state.ts";

function warnOfUnstoredState(core: SessionCore, error: unknown): void {
  const message = `The state in which the session stopped could not be kept: ${messageOf(error)}`;
  core.emit("warning", { message, kind: "boundary_not_kept" });
}

/** The state of a session without parent and children, at a boundary. */
class SingleSessionBoundary implements SessionBoundary {
  // The same function for every boundary: an accessor of its own would make each a class of object of its own.
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
  /** As it is when it is looked at: a person may speak while the hook waits for something else. */
  declare readonly progress: SessionProgress;

  constructor(core: SessionCore, kind: BoundaryKind) {
    this.#core = core;
    this.kind = kind;
    this.turns = core.conversation.turns;
    this.systemPrompt = core.systemPrompt;
    // Its own, so that whoever writes the boundary down as a whole finds it there.
    Object.defineProperty(this, "progress", SingleSessionBoundary.#PROGRESS);
  }
}

/** The same where there are a parent or children: one state for all of them. */
async function storeFamily(core: SessionCore, kind: BoundaryKind): Promise<void> {
  storeState(core, kind);
  // Behind the outcomes of a round nobody makes its calls again.
  if (kind !== "intents") core.subagents.clearReceivedInputs();
  await core.subagents.save();
}

/**
 * Hands the state to whoever keeps it and waits until that is done; rejects with what it failed with, so that nothing
 * happens that nobody could know of. A session that is to stop anyway only says that its state was not kept: the
 * boundary before is still there. architecture: decision 22.
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

/** The same where somebody asked for it; nothing otherwise. engine: CheckpointSuggester. */
export async function reachSuggestedBoundary(core: SessionCore): Promise<void> {
  if (core.isBoundarySuggested) await reachBoundary(core, "suggested");
}

/**
 * The state before a model call that will not be answered, where something was said or paid for since the last boundary:
 * whoever goes on must not lose it. Whatever fails here is told; why the session stops is another matter.
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
