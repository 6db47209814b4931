import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";

const MAX_FILES = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Number of files written concurrently. Concurrent writes hide the high latency of each remote write. */
const AT_ONCE = 8;

/** A file's path, relative to the workspace, and its content. */
export type CopiedFile = readonly [path: string, content: Uint8Array];

/**
 * Reads the files of a local folder, except those ignored by git and those below `.git` and `node_modules`. Throws
 * `workspace.*` errors, and `config.invalid` if the folder is too large.
 */
export async function readWorkspace(folder: string): Promise<CopiedFile[]> {
  const { openLocalEnvironment } = await import("./local/open-local-environment.ts");
  await using local = await openLocalEnvironment({ root: folder });
  const paths = await local.glob("**/*", { maxResults: MAX_FILES + 1 });
  if (paths.length > MAX_FILES) throw tooLarge(`more than ${MAX_FILES.toLocaleString("en-US")} files`);
  const files: CopiedFile[] = [];
  let bytes = 0;
  for (const path of paths.toSorted()) {
    // Check the size first, so that a very large file is not read only to be rejected.
    const { kind, size } = await local.stat(path);
    if (kind !== "file") continue;
    bytes += size;
    if (bytes > MAX_BYTES) throw tooLarge(`more than ${MAX_BYTES / 1024 / 1024} MiB`);
    files.push([path, await local.readBytes(path, { length: Math.max(1, size) })]);
  }
  return files;
}

/** Writes files into an environment. Throws `environment.*` errors. */
export async function copyWorkspace(files: readonly CopiedFile[], environment: ExecutionEnvironment): Promise<void> {
  const remaining = files.values();
  const write = async (): Promise<void> => {
    for (const [path, content] of remaining) await environment.writeFile(path, content);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, write));
}

function tooLarge(amount: string): EngineError {
  const problem = `it has ${amount} that git does not ignore, which is too much for a copy; name a smaller folder`;
  return new EngineError("config.invalid", { field: "workspace", problem });
}
