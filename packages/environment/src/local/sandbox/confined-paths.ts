import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  rmdirSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { isAtOrBelow } from "./bubblewrap-arguments.ts";

/** Restrictions on the files that commands can access. Paths that no rule names stay accessible. */
export interface ConfinementRules {
  /**
   * Paths relative to the workspace that commands may write to; the rest of the workspace is read-only. A missing path
   * is created: as a file if its name has an extension, otherwise as a folder. If the created file or folder stays
   * empty, it is removed again. Default: the whole workspace.
   */
  readonly writes?: readonly string[] | undefined;
  /** Absolute paths that are read-only for commands. Missing paths are ignored. */
  readonly readOnly?: readonly string[] | undefined;
  /** Absolute paths whose content commands cannot see: these folders and files appear empty. */
  readonly hidden?: readonly string[] | undefined;
}

/**
 * Mounts that restrict file access of commands. Disposing the object removes empty paths that were created as mount
 * points.
 */
export interface ConfinedPaths extends Disposable {
  /** Arguments for bubblewrap. A mount precedes mounts inside it. */
  readonly mounts: readonly string[];
}

/**
 * Linux capabilities that commands of root lose, because they would allow mounting file systems or bypassing the
 * restrictions. All other capabilities stay.
 */
const DROPPED_CAPABILITIES = [
  "CAP_SYS_ADMIN",
  "CAP_SYS_PTRACE",
  "CAP_SYS_MODULE",
  "CAP_SYS_RAWIO",
  "CAP_MKNOD",
] as const;

/**
 * Creates missing writable paths and returns the mounts that restrict file access. Throws
 * `environment.path_outside_workspace`.
 */
export function prepareConfinedPaths(root: string, rules: ConfinementRules): ConfinedPaths {
  const created: string[] = [];
  const removeCreated = () => {
    for (const path of created.splice(0).reverse()) removeEmpty(path);
  };
  try {
    const writable = rules.writes?.map((path) => findOrCreate(root, path, created));
    const readOnly = (rules.readOnly ?? []).flatMap(realOf).filter((path) => !isAtOrBelow(path, root));
    const hidden = (rules.hidden ?? []).flatMap(realOf).filter((path) => !isAtOrBelow(path, root));
    return {
      mounts: [
        ...DROPPED_CAPABILITIES.flatMap((name) => ["--cap-drop", name]),
        ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
        ...(writable === undefined ? [] : ["--ro-bind", root, root]),
        ...(writable ?? []).flatMap((path) => ["--bind", path, path]),
        ...hidden.flatMap((path) =>
          statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
        ),
      ],
      [Symbol.dispose]: removeCreated,
    };
  } catch (error) {
    removeCreated();
    throw error;
  }
}

function realOf(path: string): string[] {
  return existsSync(path) ? [realpathSync(path)] : [];
}

/**
 * Returns the real path of a writable path, creating it if necessary. Rejects a link in the workspace that leads out of
 * the workspace.
 */
function findOrCreate(root: string, path: string, created: string[]): string {
  const target = resolve(root, path);
  if (!isAtOrBelow(root, target)) throw new EngineError("environment.path_outside_workspace", { path, root });
  createPath(root, target, created);
  const real = realpathSync(target);
  if (!isAtOrBelow(root, real)) throw new EngineError("environment.path_outside_workspace", { path, root });
  return real;
}

function createPath(root: string, target: string, created: string[]): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return;
  if (target !== root) createFolders(root, dirname(target), created);
  if (basename(target).lastIndexOf(".") > 0) closeSync(openSync(target, "wx"));
  else mkdirSync(target);
  created.push(target);
}

function createFolders(root: string, folder: string, created: string[]): void {
  let path = root;
  for (const step of folder.slice(root.length).split("/")) {
    path = join(path, step);
    if (!existsSync(path)) {
      mkdirSync(path);
      created.push(path);
    }
    if (!isAtOrBelow(root, realpathSync(path)))
      throw new EngineError("environment.path_outside_workspace", { path, root });
  }
}

/** Removes a file or folder that was created as a mount point, if it is still empty. */
function removeEmpty(path: string): void {
  try {
    if (statSync(path).isDirectory()) rmdirSync(path);
    else if (statSync(path).size === 0) unlinkSync(path);
  } catch {
    // Removal failed because the path no longer exists or is no longer empty. Both are fine.
  }
}
