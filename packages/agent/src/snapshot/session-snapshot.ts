import type { SessionBoundary } from "../checkpoint/session-boundary.ts";

/** Version of the snapshot format. Snapshots with a newer version are rejected. */
export const SNAPSHOT_VERSION = 1;

/** A session as JSON-serializable data: turns, queued messages, and the point at which it can be resumed. */
export interface SessionSnapshot {
  /** Version of this format. */
  readonly version: typeof SNAPSHOT_VERSION;
  /** Id of the profile for which the system prompt was built. */
  readonly profile: string;
  /** Time of the snapshot, ISO 8601. */
  readonly savedAt: string;
  /**
   * State of the session. After loading a `processing` session, callers can `resume` its unfinished input, or abandon
   * the input by submitting another.
   */
  readonly state: "idle" | "processing" | "awaiting_input";
  /** Complete state of the session: turns, system prompt, queued messages, and the point at which it can be resumed. */
  readonly boundary: SessionBoundary;
}
