import type { BoundaryKind, SessionProgress } from "./session-boundary.ts";

/**
 * Last stored state of a session that has a parent or subagents. A root session and its subagents are saved together.
 * When one of them is saved, the last stored states of the others are saved with it, so each session must remember its
 * own.
 */
export interface StoredState {
  readonly kind: BoundaryKind;
  /** Number of turns in this state. */
  readonly turnCount: number;
  /** Session state other than turns and queued messages. */
  readonly progress: SessionProgress;
  /**
   * All waiting steering messages, even those queued after this state was stored, so that a resumed session does not
   * lose any.
   */
  readonly steering: string[];
  /** All waiting follow-up inputs, even those queued after this state was stored. */
  readonly followUps: string[];
}
