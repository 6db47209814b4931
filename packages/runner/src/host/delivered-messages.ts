import type { Board, Checkpoint } from "@switchyard/contracts";

/** Name of the board list with the ids of delivered messages. Each checkpoint adds only the new ids. */
const DELIVERED = "__run_control_taken";

/**
 * Records on the board that an engine has read a message. Each checkpoint thereby lists the messages that the engine
 * has read. A run that resumes from the checkpoint delivers all other messages again. D9.
 */
export function recordDelivery(board: Board, id: string): void {
  try {
    board.appendSliceVar(DELIVERED, id);
  } catch {
    // The engine may have overwritten the board variable. Messages are then delivered twice rather than never.
  }
}

/** Returns the ids of the messages that were delivered when a checkpoint was saved. */
export function deliveredMessageIds(checkpoint: Checkpoint | undefined): ReadonlySet<unknown> {
  const ids = checkpoint?.board.vars[DELIVERED];
  return new Set(Array.isArray(ids) ? ids : []);
}
