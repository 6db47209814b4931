import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { systemCodeOf } from "./to-file-error.ts";

/** Removed, replaced, not enterable, or deeper than the system's path limit. */
const PASSED_OVER: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

/** Pins a folder found in a pinned folder, without following a link. `undefined` if it cannot be entered. */
export async function pinInner(
  workspace: LocalWorkspace,
  folder: PinnedPath,
  name: string,
): Promise<PinnedPath | undefined> {
  try {
    return await pinPath(workspace, folder.access(name), { directory: true, noFollow: true });
  } catch (error) {
    if (PASSED_OVER.has(systemCodeOf(error))) return undefined;
    throw error;
  }
}
