import { systemError } from "../../local/workspace/to-file-error.ts";
import type { FolderNode, MemoryNode } from "./memory-node.ts";

/** Maximum number of consecutive links, as in Linux. */
const MAX_LINKS = 40;

/** A resolved path: an entry of a folder, identified by its name. The entry need not exist. */
export interface ResolvedPath {
  /** Folder that contains the name. The parent of the root is the root itself. */
  readonly parent: FolderNode;
  /** Last name of the path. Empty if the path is the root. */
  readonly name: string;
  /** File, folder or link at the path. `undefined` if the path does not exist. */
  readonly node: MemoryNode | undefined;
  /**
   * Absolute path with symbolic links resolved. With `followLast: false`, a link is not resolved if it is the last
   * name.
   */
  readonly real: string;
}

/** Options for resolving a path. */
export interface ResolveOptions {
  /** True to follow a symbolic link if it is the last name of the path. Default: true. */
  readonly followLast?: boolean | undefined;
  /** Function that creates a missing parent folder. `undefined`: missing parents are an error. */
  readonly makeFolder?: (() => FolderNode) | undefined;
  /** Function that throws if a resolved path is outside the allowed area. */
  readonly confine?: ((real: string) => void) | undefined;
}

interface Step {
  readonly name: string;
  /** True if a folder of this name is created when it is missing. */
  readonly isCreated: boolean;
}

/**
 * Resolves an absolute path from the root, name by name, like a kernel. Throws errors with operating system codes:
 * ENOENT for a missing parent folder, ENOTDIR, ELOOP. Also throws the errors of `confine`.
 */
export function resolvePath(root: FolderNode, path: string, options: ResolveOptions = {}): ResolvedPath {
  const { followLast = true, confine, makeFolder } = options;
  const open: Step[] = namesOf(path).map((name) => ({ name, isCreated: makeFolder !== undefined }));
  const trail: (ResolvedPath & Pick<Step, "isCreated">)[] = [];
  const top = { parent: root, name: "", node: root, real: "/", isCreated: false };
  let links = 0;
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    const { name, isCreated } = step;
    const at = trail.at(-1) ?? top;
    const folder =
      at.node ?? (at.isCreated && makeFolder !== undefined ? createMissing(at, makeFolder, confine) : undefined);
    if (folder?.kind !== "directory") throw systemError(folder === undefined ? "ENOENT" : "ENOTDIR", path);
    if (name === "..") {
      trail.pop();
      continue;
    }
    const node = folder.entries.get(name);
    if (node?.kind === "symlink" && (followLast || open.length > 0)) {
      links += 1;
      if (links > MAX_LINKS) throw systemError("ELOOP", path);
      if (node.target.startsWith("/")) trail.length = 0;
      // Missing folders in a link's target are created only if the link is the last name of the path.
      const isLast = open.length === 0;
      open.unshift(...namesOf(node.target).map((next) => ({ name: next, isCreated: isCreated && isLast })));
    } else {
      trail.push({ parent: folder, name, node, real: `${at.real === "/" ? "" : at.real}/${name}`, isCreated });
    }
  }
  const found = trail.at(-1) ?? top;
  confine?.(found.real);
  return found;
}

/** Checked before the folder is created, so that no folder is created outside the allowed area. */
function createMissing(
  { parent, name, real }: ResolvedPath,
  create: () => FolderNode,
  confine: ResolveOptions["confine"],
) {
  confine?.(real);
  const folder = create();
  parent.entries.set(name, folder);
  return folder;
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
