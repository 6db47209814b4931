import { systemError } from "../../local/workspace/to-file-error.ts";
import type { FolderNode, MemoryNode } from "./memory-node.ts";

/** Maximum number of consecutive links, as in Linux. */
const MAX_LINKS = 40;

/** A name in a folder, existing or not. */
export interface ResolvedPath {
  /** Its folder. The root is its own parent. */
  readonly parent: FolderNode;
  /** Its name in the folder. Empty for the root. */
  readonly name: string;
  /** Node at the path. `undefined` if it does not exist. */
  readonly node: MemoryNode | undefined;
  /** Absolute path with links resolved, except a last name that is not followed. */
  readonly real: string;
}

/** Options for resolving a path. */
export interface ResolveOptions {
  /** True to follow a link at the last name. Default: true. */
  readonly followLast?: boolean | undefined;
  /** Creates missing folders on the way. */
  readonly makeFolder?: (() => FolderNode) | undefined;
  /** Throws for a real path outside the allowed area. */
  readonly confine?: ((real: string) => void) | undefined;
}

interface Step {
  readonly name: string;
  /** True if a missing folder of that name is created. */
  readonly isMade: boolean;
}

/**
 * Resolves an absolute path from the root, name by name, like a kernel. Throws errors with operating system codes:
 * ENOENT for a missing folder on the way, ENOTDIR, ELOOP, and the errors of `confine`.
 */
export function resolvePath(root: FolderNode, path: string, options: ResolveOptions = {}): ResolvedPath {
  const { followLast = true, confine, makeFolder } = options;
  const open: Step[] = namesOf(path).map((name) => ({ name, isMade: makeFolder !== undefined }));
  const trail: (ResolvedPath & Pick<Step, "isMade">)[] = [];
  const top = { parent: root, name: "", node: root, real: "/", isMade: false };
  let links = 0;
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    const { name, isMade } = step;
    const at = trail.at(-1) ?? top;
    const folder =
      at.node ?? (at.isMade && makeFolder !== undefined ? makeMissing(at, makeFolder, confine) : undefined);
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
      // Missing folders in the target of an intermediate link are not created; those of the last link are.
      const isLast = open.length === 0;
      open.unshift(...namesOf(node.target).map((next) => ({ name: next, isMade: isMade && isLast })));
    } else {
      trail.push({ parent: folder, name, node, real: `${at.real === "/" ? "" : at.real}/${name}`, isMade });
    }
  }
  const found = trail.at(-1) ?? top;
  confine?.(found.real);
  return found;
}

/** Checks confinement first, so that nothing is created outside. */
function makeMissing({ parent, name, real }: ResolvedPath, make: () => FolderNode, confine: ResolveOptions["confine"]) {
  confine?.(real);
  const made = make();
  parent.entries.set(name, made);
  return made;
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
