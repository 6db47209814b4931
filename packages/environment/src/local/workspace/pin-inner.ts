import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { pinPath } from "./pin-path.ts";
import { systemCodeOf } from "./to-file-error.ts";

/**
 * Codes of system errors for which a folder is skipped: the folder was removed or replaced, cannot be entered, or its
 * path is too long.
 */
const PASSED_OVER: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "ENAMETOOLONG"]);

/** Opens a subfolder of an opened folder, without following a link. `undefined` if the subfolder cannot be entered. */
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
