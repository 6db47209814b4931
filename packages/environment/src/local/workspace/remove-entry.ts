import { lstat, readdir, rmdir, unlink } from "node:fs/promises";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { pinTarget } from "./pin-target.ts";
import { systemCodeOf } from "./to-file-error.ts";

/** Removes a file, a link (not what it names), or a folder with all that is in it. The root itself is refused. */
export async function removeEntry(workspace: LocalWorkspace, path: string): Promise<void> {
  const target = await pinTarget(workspace, path);
  await using parent = target.parent;
  await removeFrom(workspace, parent, target.name);
}

/** Folder by folder through pinned folders: a path that is walked anew at each step could be led out by a swapped link. */
async function removeFrom(workspace: LocalWorkspace, parent: PinnedPath, name: string): Promise<void> {
  if (!(await lstat(parent.access(name))).isDirectory()) return unlink(parent.access(name));
  {
    await using folder = await pinPath(workspace, parent.access(name), { directory: true, noFollow: true });
    for (const inner of await readdir(folder.access())) {
      try {
        await removeFrom(workspace, folder, inner);
      } catch (error) {
        // Removed by somebody else.
        if (systemCodeOf(error) !== "ENOENT") throw error;
      }
    }
  }
  await rmdir(parent.access(name));
}
