import type { SessionBoundary } from "../checkpoint/session-boundary.ts";

/** Version of saved sessions; a newer one is refused. */
export const SNAPSHOT_VERSION = 1;

/** A whole session as plain data that survives JSON: its turns, what waits in it, and where it stood. */
export interface SessionSnapshot {
  /** Version of this format. */
  readonly version: typeof SNAPSHOT_VERSION;
  /** Model family whose system prompt it carries: the id of the profile. */
  readonly profile: string;
  /** When it was taken, ISO 8601. */
  readonly savedAt: string;
  /**
   * What the session was doing. `processing`: an input is being worked on, and the loaded session can go on with it by
   * `resume`, or leave it and take another one.
   */
  readonly state: "idle" | "processing" | "awaiting_input";
  /** The state itself. */
  readonly boundary: SessionBoundary;
}
