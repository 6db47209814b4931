import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import { EngineError } from "@switchyard/contracts";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { pinTarget } from "./pin-target.ts";
import { systemCodeOf } from "./to-file-error.ts";

/**
 * Removes a file, a folder with its contents, or a link (not the link's target). The root of the workspace is rejected.
 */
export async function removeEntry(workspace: LocalWorkspace, path: string): Promise<void> {
  const target = await pinTarget(workspace, path);
  await using parent = target.parent;
  await removeFrom(parent, Buffer.from(target.name), { workspace, path });
}

interface Removal {
  readonly workspace: LocalWorkspace;
  /** Requested path, for error messages. */
  readonly path: string;
}

/**
 * Removes an entry level by level, through opened folders. If the whole path were resolved at each step, a swapped link
 * could redirect the removal. Names are bytes, because on Linux they need not be valid UTF-8.
 */
async function removeFrom(parent: PinnedPath, name: Buffer, removal: Removal): Promise<void> {
  const entry = Buffer.concat([Buffer.from(`${parent.access()}/`), name]);
  if (!(await lstat(entry)).isDirectory()) return unlink(entry);
  {
    await using folder = await pinPath(removal.workspace, entry, { directory: true, noFollow: true });
    for (const inner of await readdir(folder.access(), { encoding: "buffer" })) {
      try {
        await removeFrom(folder, inner, removal);
      } catch (error) {
        // The entry was removed by another process.
        if (systemCodeOf(error) !== "ENOENT") throw error;
      }
    }
  }
  try {
    await rmdir(entry);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOTEMPTY") throw error;
    const problem = "another process created a file in a folder while it was removed";
    throw new EngineError(
      "environment.io_failed",
      { operation: "remove", path: removal.path, problem },
      { cause: error },
    );
  }
}
