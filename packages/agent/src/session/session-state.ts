/**
 * Where a session is in its life. loop: §2.3.
 *
 * `idle` waits for input, `processing` runs the loop, `awaiting_input` waits for the answer to a question of the
 * model, `closed` takes no further input.
 */
export type SessionState = "idle" | "processing" | "awaiting_input" | "closed";
