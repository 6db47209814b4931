import type { ExecutionEnvironment } from "@switchyard/contracts";
import type { GitRepository } from "./git-repository.ts";
import type { InitialState } from "./shadow-repository.ts";

/** Maximum number of files in a snapshot of a plain folder. Half a million would delay a run by minutes. */
const MAX_FILES = 100_000;
/** Maximum total size of the new files in a plain folder, in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Returns a stand-in for the git repository of a folder that is in no repository, or in a repository that ignores it.
 */
export function plainRepository(environment: ExecutionEnvironment): GitRepository {
  const top = environment.workingDirectory;
  return { top, objectFormat: "sha1", objects: "", index: "", exclude: "/dev/null", isPlain: true };
}

/** Files excluded from a plain folder, as relative paths. */
export interface ExcludedPaths {
  /** Files that are too large, or unreadable. */
  readonly tooLarge: readonly string[];
}

/**
 * Excludes new files of a plain folder that are too large or unreadable, before its files are stored as a git tree.
 * Throws if the folder is too large.
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
