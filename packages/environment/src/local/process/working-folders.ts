import { readlinkSync } from "node:fs";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { LocalWorkspace, PinnedPath } from "../workspace/pin-path.ts";
import { pinFolder } from "../workspace/pin-target.ts";
import { toFileError } from "../workspace/to-file-error.ts";

/** Opens the working folders of commands. */
export interface WorkingFolders {
  /** Opens a folder (default: the workspace), so that it stays accessible even if it is renamed. */
  pin(path?: string): Promise<PinnedPath>;
  /** Closes the workspace folder. */
  close(): Promise<void>;
}

interface OpenRoot {
  readonly folder: PinnedPath;
  users: number;
  isStale: boolean;
}

/**
 * Creates an object that opens working folders of commands. The workspace folder stays open as long as its path is
 * unchanged, because nearly all commands run there. Opening it again would take a sixth of a command's time.
 */
export function createWorkingFolders(workspace: LocalWorkspace): WorkingFolders {
  let root: OpenRoot | undefined;
  let isOpen = true;
  // While a command is being started in a folder, the folder's descriptor stays open. Otherwise the system could reuse
  // the descriptor's number, and the command would start in another folder.
  const closeUnused = async ({ folder, users, isStale }: OpenRoot): Promise<void> => {
    if (isStale && users === 0) await folder[Symbol.asyncDispose]();
  };
  const drop = async (): Promise<void> => {
    const old = root;
    root = undefined;
    if (old !== undefined) await closeUnused(Object.assign(old, { isStale: true }));
  };
  const use = (used: OpenRoot): PinnedPath => {
    used.users += 1;
    const release = (): Promise<void> => {
      used.users -= 1;
      return closeUnused(used);
    };
    return { ...used.folder, [Symbol.asyncDispose]: release };
  };
  return {
    async pin(path = workspace.real) {
      if (path !== workspace.real || workspace.confinement !== "descriptor" || !isOpen) return pinAt(workspace, path);
      if (root !== undefined && isUnmoved(root.folder, workspace)) return use(root);
      void drop().catch(() => {});
      const opened: OpenRoot = { folder: await pinAt(workspace, path), users: 0, isStale: false };
      // Another command may have opened the workspace folder in the meantime.
      if (root === undefined && isOpen) root = opened;
      else opened.isStale = true;
      return use(opened);
    },
    close() {
      isOpen = false;
      return drop();
    },
  };
}

/** Returns whether the folder was neither moved nor removed since it was opened. */
function isUnmoved(folder: PinnedPath, workspace: LocalWorkspace): boolean {
  try {
    return readlinkSync(folder.access()) === workspace.real;
  } catch {
    return false;
  }
}

async function pinAt(workspace: LocalWorkspace, path: string): Promise<PinnedPath> {
  try {
    return await pinFolder(workspace, resolveWorkspacePath(workspace, path).absolute);
  } catch (error) {
    throw toFileError(error, { operation: "open", path, root: workspace.real });
  }
}
