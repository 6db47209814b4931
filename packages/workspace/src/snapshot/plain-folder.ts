import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import type { InitialState } from "./shadow-repository.ts";

/** Most files of a snapshot of a plain folder: half a million would be copied for minutes before a run begins. */
const MAX_FILES = 100_000;
/** Most bytes of these files together. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A folder that is in no repository, or in one that ignores it, as one of its own. */
export function plainRepository(environment: ExecutionEnvironment): GitRepository {
  const top = environment.workingDirectory;
  return { top, objectFormat: "sha1", objects: "", index: "", exclude: "/dev/null", isPlain: true };
}

/** What is left out of a plain folder, as paths relative to it. */
export interface ExcludedPaths {
  /** Files that are too large, or cannot be read. */
  readonly tooLarge: readonly string[];
}

/**
 * Prepares a plain folder for its tree: leaves out what is too large or cannot be read, of what was made since the tree before.
 * Throws when there is too much of it.
 */
export async function boundPlainFolder(
  { shadow, made }: Pick<InitialState, "shadow" | "made">,
  signal?: AbortSignal,
): Promise<ExcludedPaths> {
  if (made.length === 0) return { tooLarge: [] };
  if (made.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
  const { bytes, left } = await shadow.leaveOutLarge(signal);
  if (bytes > MAX_BYTES) throw new Error(`there are more than ${MAX_BYTES / 1024 / 1024} MiB of files`);
  return { tooLarge: left };
}
