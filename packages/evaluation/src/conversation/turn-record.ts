import type { TranscriptMessage } from "@switchyard/contracts";

/** Outcome of one user turn of a conversation. */
export interface TurnRecord {
  /** Message that was sent, with captured values inserted. */
  readonly content: string;
  /** Response of the engine. Empty if there is none. */
  readonly response: string;
  /** Messages of this turn after the user's. */
  readonly transcript: readonly TranscriptMessage[];
  /**
   * `completed`: the engine responded and the turn's condition holds. `failed`: the condition does not hold.
   * `skipped`: an earlier condition did not hold. `error`: the engine failed, or a value could not be captured.
   */
  readonly status: "completed" | "failed" | "skipped" | "error";
  /** Why the turn was not completed. */
  readonly reason?: string | undefined;
}
