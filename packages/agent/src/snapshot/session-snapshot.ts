import type { SessionBoundary } from "../checkpoint/session-boundary.ts";

/** Version of saved sessions. Newer ones are rejected. */
export const SNAPSHOT_VERSION = 1;

/** Session as plain data that can be serialized as JSON: turns, queued messages and position. */
export interface SessionSnapshot {
  /** Version of this format. */
  readonly version: typeof SNAPSHOT_VERSION;
  /** Model family of its system prompt: the profile's id. */
  readonly profile: string;
  /** Time of the snapshot, ISO 8601. */
  readonly savedAt: string;
  /**
   * State of the session. `processing`: an input is being processed; the loaded session can `resume` it, or abandon it
   * for another input.
   */
  readonly state: "idle" | "processing" | "awaiting_input";
  /** Position and state. */
  readonly boundary: SessionBoundary;
}
