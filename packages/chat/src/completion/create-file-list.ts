import type { ExecutionEnvironment } from "@switchyard/contracts";

/** Maximum number of files that are offered. */
const MAX_FILES = 20_000;
/** Time for which a list of files is reused, in milliseconds. */
const FRESH_MS = 5_000;

/** Creates a function that lists the files of a workspace. Within five seconds, further calls reuse the list. */
export function createFileList(
  environment: Pick<ExecutionEnvironment, "glob">,
  now: () => number,
): () => Promise<readonly string[]> {
  let listed: Promise<readonly string[]> | undefined;
  let listedAt = 0;
  return () => {
    if (listed !== undefined && now() - listedAt < FRESH_MS) return listed;
    listedAt = now();
    const files = environment.glob("**/*", { maxResults: MAX_FILES });
    listed = files;
    files.catch(() => {
      listed = undefined;
    });
    return files;
  };
}
