import type { Board, Checkpoint } from "@switchyard/contracts";

/** List variable with the ids of the messages that the engine has taken: each checkpoint adds only the new ones. */
const DELIVERED = "__run_control_taken";

/**
 * Notes that an engine has taken a message. So each checkpoint says which messages its engine knew of; those of a run
 * that goes on from it are the others. D9.
 */
export function recordDelivery(board: Board, id: string): void {
  try {
    board.appendSliceVar(DELIVERED, id);
  } catch {
    // An engine may have put something else there; it is then given its messages twice rather than never.
  }
}

/** Ids of the messages that the engine had taken when a checkpoint was made. */
export function deliveredMessageIds(checkpoint: Checkpoint | undefined): ReadonlySet<unknown> {
  const ids = checkpoint?.board.vars[DELIVERED];
  return new Set(Array.isArray(ids) ? ids : []);
}
