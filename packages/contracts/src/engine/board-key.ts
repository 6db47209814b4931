import type { SessionInput } from "../session/session-input.ts";
import type { SessionResult } from "../session/session-result.ts";

declare const valueType: unique symbol;

/** Name of a variable on the board (the run's state in memory), with the type of its value. */
export interface BoardKey<T> {
  /** Name of the variable. */
  readonly name: string;
  /** Carries the type of the variable's value for the compiler. Never set at runtime. */
  readonly [valueType]?: T;
}

/**
 * Creates a key for a variable on the board, which holds the run's state in memory. Names that begin with `__` are
 * reserved for the platform.
 */
export function boardKey<T>(name: string): BoardKey<T> {
  return { name };
}

/** Input of the session, set by the host. */
export const SESSION_INPUT: BoardKey<SessionInput> = boardKey("__session_input");

/** Result of the session, set by the engine. Default: built from the last assistant message of the main channel. */
export const SESSION_RESULT: BoardKey<SessionResult> = boardKey("__session_result");

/**
 * Absolute paths of workspace files that were created to operate the engine, such as input files of an agent. These
 * files are not reported as changes of the run.
 */
export const ENGINE_FILES: BoardKey<string[]> = boardKey("__own_files");

/**
 * Origins (`http://host:port`) that the engine itself serves. Artifacts may be fetched from these origins even if their
 * addresses are not public.
 */
export const ARTIFACT_ORIGINS: BoardKey<string[]> = boardKey("__artifact_origins");

/** An artifact that the engine declared and that was left out of the result. */
export interface DroppedArtifact {
  /** Declared name of the artifact, or its path if no name was declared. */
  name: string;
  /** Reason why the artifact is missing from the result. */
  dropped: string;
}

/**
 * Artifacts that the engine declared but removed from its result, for example because their paths are not allowed.
 * Hosts add them to their reports as not archived.
 */
export const DROPPED_ARTIFACTS: BoardKey<DroppedArtifact[]> = boardKey("__dropped_artifacts");
