import type { BoundaryKind, SessionProgress } from "./session-boundary.ts";

/**
 * State of a session at its last boundary. It is stored because saves by other sessions of the family include it. Only
 * sessions with a parent or with children have one.
 */
export interface StoredState {
  readonly kind: BoundaryKind;
  /** Number of turns at the boundary. */
  readonly turnCount: number;
  /** Everything else, except the queued messages. */
  readonly progress: SessionProgress;
  /** Steering messages queued at the boundary or since: a resumed session must not lose them. */
  readonly steering: string[];
  /** Follow-up inputs queued at the boundary or since. */
  readonly followUps: string[];
}
