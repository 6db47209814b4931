import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { InitialState } from "./create-shadow.ts";
import type { GitRepository } from "./git-repository.ts";

/**
 * Maximum number of files in a snapshot of a folder without a git repository. Half a million files would delay a run by
 * minutes.
 */
const MAX_FILES = 100_000;
/** Maximum total size, in bytes, of the new files in a folder without a git repository. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns an object that takes the place of a git repository, for a folder that is in no repository or is ignored by
 * its repository.
 */
export function plainRepository(environment: ExecutionEnvironment): GitRepository {
  const top = environment.workingDirectory;
  return { top, objectFormat: "sha1", objects: "", index: "", exclude: "/dev/null", isPlain: true };
}

/** Files of a plain folder that a snapshot does not contain, as relative paths. */
export interface ExcludedPaths {
  /** Files that are too large, or unreadable. */
  readonly tooLarge: readonly string[];
}

/**
 * Excludes new files that are too large or unreadable from the snapshot of a plain folder, before its files are stored
 * as a git tree. Throws if the remaining files exceed the limits.
 */
export async function boundPlainFolder(
  { shadow, made }: Pick<InitialState, "shadow" | "made">,
  signal?: AbortSignal,
): Promise<ExcludedPaths> {
  if (made.length === 0) return { tooLarge: [] };
  if (made.length > MAX_FILES) throw new Error(`there are more than ${MAX_FILES} files`);
  const { bytes, omitted } = await shadow.omitLarge(signal);
  if (bytes > MAX_BYTES) throw new Error(`there are more than ${MAX_BYTES / 1024 / 1024} MiB of files`);
  return { tooLarge: omitted };
}
