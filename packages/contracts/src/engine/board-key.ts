import type { SessionInput } from "../session/session-input.ts";
import type { SessionResult } from "../session/session-result.ts";

declare const valueType: unique symbol;

/** Name of a board variable that knows its type. */
export interface BoardKey<T> {
  /** Name of the variable. */
  readonly name: string;
  /** Never set; carries the type. */
  readonly [valueType]?: T;
}

/** Makes a key. Names that begin with `__` belong to the platform. */
export function boardKey<T>(name: string): BoardKey<T> {
  return { name };
}

/** What the host handed in. */
export const SESSION_INPUT: BoardKey<SessionInput> = boardKey("__session_input");

/** What the engine gives back; made from the last assistant message of the main channel when an engine sets none. */
export const SESSION_RESULT: BoardKey<SessionResult> = boardKey("__session_result");

/** Files in the workspace that the engine's own machinery made, as absolute paths: they are nobody's changes. */
export const OWN_FILES: BoardKey<string[]> = boardKey("__own_files");

/** Origins (`http://host:port`) that artifacts may be fetched from although they are not public: the engine's own. */
export const ARTIFACT_ORIGINS: BoardKey<string[]> = boardKey("__artifact_origins");

/** An artifact that the engine declared and that its own machinery left out of the result. */
export interface DroppedArtifact {
  /** Declared name, or path. */
  name: string;
  /** Why it was left out. */
  dropped: string;
}

/** Artifacts that were left out before anybody archived them: hosts add them to their reports. */
export const DROPPED_ARTIFACTS: BoardKey<DroppedArtifact[]> = boardKey("__dropped_artifacts");
