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

/** What commands may do to the disk of this machine, which they see as it is otherwise. */
export interface ConfinementRules {
  /**
   * Paths relative to the workspace that commands may write to; the rest of it they only read. Everywhere in it, by
   * default. One that does not exist is made, as a file where its name has an ending, else as a folder, and taken away
   * again when it was left empty.
   */
  readonly writes?: readonly string[] | undefined;
  /** Absolute paths that commands only read; what does not exist is left out. */
  readonly readOnly?: readonly string[] | undefined;
  /** Absolute paths that commands do not see: a folder is empty, a file too. */
  readonly hidden?: readonly string[] | undefined;
}

/** The mounts of a confinement, and what was made for them. */
export interface ConfinedPaths extends Disposable {
  /** Arguments for bubblewrap, the outermost first. */
  readonly mounts: readonly string[];
}

/** With these root would mount what it likes, or go round the file system; the others it keeps. */
const POWERS = ["CAP_SYS_ADMIN", "CAP_SYS_PTRACE", "CAP_SYS_MODULE", "CAP_SYS_RAWIO", "CAP_MKNOD"] as const;

/** Makes what has to be there and lists the mounts. Throws `environment.path_outside_workspace`. */
export function prepareConfinedPaths(root: string, rules: ConfinementRules): ConfinedPaths {
  const made: string[] = [];
  const removeMade = () => {
    for (const path of made.splice(0).reverse()) removeEmpty(path);
  };
  try {
    const writable = rules.writes?.map((path) => findOrMake(root, path, made));
    const kept = (rules.readOnly ?? []).flatMap(realOf).filter((path) => !isAtOrBelow(path, root));
    const hidden = (rules.hidden ?? []).flatMap(realOf).filter((path) => !isAtOrBelow(path, root));
    return {
      mounts: [
        ...POWERS.flatMap((name) => ["--cap-drop", name]),
        ...kept.flatMap((path) => ["--ro-bind", path, path]),
        ...(writable === undefined ? [] : ["--ro-bind", root, root]),
        ...(writable ?? []).flatMap((path) => ["--bind", path, path]),
        ...hidden.flatMap((path) =>
          statSync(path).isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path],
        ),
      ],
      [Symbol.dispose]: removeMade,
    };
  } catch (error) {
    removeMade();
    throw error;
  }
}

function realOf(path: string): string[] {
  return existsSync(path) ? [realpathSync(path)] : [];
}

/** The real path of something that may be written to; a link in the workspace does not lead out of it. */
function findOrMake(root: string, path: string, made: string[]): string {
  const target = resolve(root, path);
  if (!isAtOrBelow(root, target)) throw new EngineError("environment.path_outside_workspace", { path, root });
  make(root, target, made);
  const real = realpathSync(target);
  if (!isAtOrBelow(root, real)) throw new EngineError("environment.path_outside_workspace", { path, root });
  return real;
}

function make(root: string, target: string, made: string[]): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return;
  if (target !== root) makeFolders(root, dirname(target), made);
  if (basename(target).lastIndexOf(".") > 0) closeSync(openSync(target, "wx"));
  else mkdirSync(target);
  made.push(target);
}

function makeFolders(root: string, folder: string, made: string[]): void {
  let path = root;
  for (const step of folder.slice(root.length).split("/")) {
    path = join(path, step);
    if (!existsSync(path)) {
      mkdirSync(path);
      made.push(path);
    }
    if (!isAtOrBelow(root, realpathSync(path)))
      throw new EngineError("environment.path_outside_workspace", { path, root });
  }
}

/** What a command wrote stays. */
function removeEmpty(path: string): void {
  try {
    if (statSync(path).isDirectory()) rmdirSync(path);
    else if (statSync(path).size === 0) unlinkSync(path);
  } catch {
    // It is gone, or no longer empty.
  }
}
