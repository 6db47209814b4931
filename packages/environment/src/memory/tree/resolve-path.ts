import { systemError } from "../../local/workspace/to-file-error.ts";
import type { FolderNode, MemoryNode } from "./memory-node.ts";

/** As many links in a row as Linux follows. */
const MAX_LINKS = 40;

/** A name in a folder; something may be there or not. */
export interface ResolvedPath {
  /** The folder it is in; the root is in itself. */
  readonly parent: FolderNode;
  /** Its name there; empty for the root. */
  readonly name: string;
  /** What is there. */
  readonly node: MemoryNode | undefined;
  /** Absolute path, without links but for the last name where that is not followed. */
  readonly real: string;
}

/** How a path is walked. */
export interface ResolveOptions {
  /** Goes on to what the last name leads to where that is a link; true by default. */
  readonly followLast?: boolean | undefined;
  /** Makes the folders that are missing on the way. */
  readonly makeFolder?: (() => FolderNode) | undefined;
  /** Throws for a real path that links may not lead to. */
  readonly confine?: ((real: string) => void) | undefined;
}

interface Step {
  readonly name: string;
  /** Whether a folder of that name is made where it is missing. */
  readonly isMade: boolean;
}

/**
 * Walks an absolute path from the root, name by name, as a kernel does. Throws errors with the codes of operating
 * systems: ENOENT for a folder on the way that is missing, ENOTDIR, ELOOP, and what `confine` throws.
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
      // Folders that a link on the way leads to are not made; those that the last one names are.
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

/** The place is asked about first: nothing is made where a link led out. */
function makeMissing({ parent, name, real }: ResolvedPath, make: () => FolderNode, confine: ResolveOptions["confine"]) {
  confine?.(real);
  const made = make();
  parent.entries.set(name, made);
  return made;
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
