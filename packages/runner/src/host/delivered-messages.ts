import type { Board, Checkpoint } from "@switchyard/contracts";

/**
 * Name of the list, on the board (the engine's key-value state), with the ids of delivered user messages. Each
 * checkpoint adds only the new ids.
 */
const DELIVERED = "__run_control_taken";

/**
 * Records on the board, which checkpoints store, that an engine has read a user message. When a run resumes from a
 * checkpoint, the messages that the checkpoint does not list are delivered again. See durability promise D9.
 */
export function recordDelivery(board: Board, id: string): void {
  try {
    board.appendSliceVar(DELIVERED, id);
  } catch {
    // The engine may have overwritten the board variable. Delivering a message twice is better than never.
  }
}

/** Returns the ids of the messages that were delivered when a checkpoint was saved. */
export function deliveredMessageIds(checkpoint: Checkpoint | undefined): ReadonlySet<unknown> {
  const ids = checkpoint?.board.vars[DELIVERED];
  return new Set(Array.isArray(ids) ? ids : []);
}
