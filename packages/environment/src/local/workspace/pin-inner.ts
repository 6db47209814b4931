import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { systemCodeOf } from "./to-file-error.ts";

/** Gone, something else by now, not to be entered, or deeper than the system can tell where it is. */
const PASSED_OVER: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

/** A folder that was found in a pinned one, a link not followed; undefined where it cannot be entered. */
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
