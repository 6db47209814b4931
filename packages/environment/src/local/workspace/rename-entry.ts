import { lstat, rename } from "node:fs/promises";
import { EngineError } from "@switchyard/contracts";
import type { LocalWorkspace } from "./pin-path.ts";
import { pinTarget } from "./pin-target.ts";
import { systemCodeOf, toFileError } from "./to-file-error.ts";

/**
 * Moves a file, a link or a folder. An existing file at the new path is replaced, and missing parents are created.
 * Throws `environment.*` errors that name the affected path.
 */
export async function renameEntry(workspace: LocalWorkspace, from: string, to: string): Promise<void> {
  const about = (path: string) => (error: unknown) => {
    throw toFileError(error, { operation: "rename", path, root: workspace.real });
  };
  const source = await pinTarget(workspace, from).catch(about(from));
  await using oldParent = source.parent;
  // The source is checked first. Otherwise folders would be created for a source that does not exist.
  await lstat(oldParent.access(source.name)).catch(about(from));
  const target = await pinTarget(workspace, to, { makeFolders: true }).catch(about(to));
  await using newParent = target.parent;
  await rename(oldParent.access(source.name), newParent.access(target.name)).catch((error: unknown) => {
    if (systemCodeOf(error) !== "EINVAL") return about(to)(error);
    throw new EngineError("environment.invalid_path", { path: to, problem: `it is inside ${from}` }, { cause: error });
  });
}
