/**
 * State of a session. See loop: §2.3. `idle`: waiting for input; `processing`: running the loop; `awaiting_input`:
 * waiting for the reply to the model's question; `closed`: accepts no more input.
 */
export type SessionState = "idle" | "processing" | "awaiting_input" | "closed";
