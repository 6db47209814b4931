import type { BoundaryKind, SessionProgress } from "./session-boundary.ts";

/**
 * State of a session at its last checkpoint boundary. A root session and its subagents are saved together: when one of
 * them is saved, the last states of the others are included. A session that has neither a parent nor subagents needs no
 * stored state.
 */
export interface StoredState {
  readonly kind: BoundaryKind;
  /** Number of turns at the last checkpoint boundary. */
  readonly turnCount: number;
  /** Session state other than turns and queued messages. */
  readonly progress: SessionProgress;
  /**
   * All steering messages that wait, also those queued after the last checkpoint boundary, so that a resumed session does
   * not lose any.
   */
  readonly steering: string[];
  /** All follow-up inputs that wait, also those queued after the last checkpoint boundary. */
  readonly followUps: string[];
}
