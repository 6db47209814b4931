import type { BoundaryKind, SessionProgress } from "./session-boundary.ts";

/**
 * Last stored state of a session. A root session and its subagents are saved together: when one of them is saved, the
 * last states of the others are included. A session that has neither a parent nor subagents needs no stored state.
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
