import type { Dirent } from "node:fs";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { findLinkedWorktree, readPointer } from "../../path/linked-worktree.ts";

/** Maximum depth and number of folders searched for nested repositories. Repositories beyond are not found. */
const MAX_DEPTH = 3;
const MAX_FOLDERS = 2000;
/**
 * Maximum depth of submodule repositories below `.git/modules`, because a submodule's name may contain slashes. Deeper
 * ones are not found.
 */
const MAX_MODULE_DEPTH = 5;
/** Files and folders in a git folder whose content git executes or uses as configuration. */
const GUARDED_IN_GIT = ["hooks", "config", "config.worktree"] as const;

/**
 * Git files and folders of a workspace that a sandbox treats specially: some are protected from commands, and others
 * must stay accessible to git.
 */
export interface Repositories {
  /** Paths that commands can neither create nor change. */
  readonly guarded: readonly string[];
  /**
   * Paths that must not exist: a file `commondir` in a git folder redirects git's configuration. A placeholder cannot
   * be used, because an empty `commondir` is an error for git. These paths are removed after each command.
   */
  readonly removed: readonly string[];
  /** Folders outside the workspace that git must be able to read, even if a parent folder is hidden. */
  readonly readable: readonly string[];
  /** Folders outside the workspace that git changes when it commits. */
  readonly writable: readonly string[];
}

/**
 * Returns the git paths to protect or to keep accessible, for a workspace and the repositories nested in it. Reads the
 * current state of the disk.
 */
export function findRepositories(root: string, trees: readonly string[]): Repositories {
  const found: Found = { guarded: new Set(), removed: new Set(), readable: new Set(), writable: new Set() };
  for (const folder of [root, ...trees]) addWorkingTree(found, folder, root);
  const { guarded, removed, readable, writable } = found;
  return { guarded: [...guarded], removed: [...removed], readable: [...readable], writable: [...writable] };
}

type Found = { readonly [key in keyof Repositories]: Set<string> };

function addWorkingTree(found: Found, folder: string, root: string): void {
  const git = join(folder, ".git");
  const pointer = readPointer(folder);
  if (readText(git) === undefined) {
    addGitFolder(found, git);
    for (const path of submodulePaths(folder)) found.guarded.add(join(folder, path, ".git"));
    addHooksFolder(found, folder);
    return;
  }
  found.guarded.add(git);
  const target = realOf(resolve(folder, pointer ?? "."));
  if (folder === root && target !== undefined) addOutsideGitFolder(found, root, target);
}

function addGitFolder(found: Found, git: string): void {
  for (const name of GUARDED_IN_GIT) found.guarded.add(join(git, name));
  found.removed.add(join(git, "commondir"));
  for (const module of findModules(join(git, "modules"))) addGitFolder(found, module);
  // Worktrees that are linked to this repository, and whose working folders are elsewhere.
  for (const name of listFolders(join(git, "worktrees"))) {
    for (const file of ["commondir", "gitdir", "config.worktree"])
      found.guarded.add(join(git, "worktrees", name, file));
  }
}

/** Adds the hooks folder named by git's setting `core.hooksPath`, if the folder is in the working tree. */
function addHooksFolder(found: Found, folder: string): void {
  const path = /^\s*hookspath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readText(join(folder, ".git", "config")) ?? "")?.[1];
  if (path === undefined) return;
  const hooks = resolve(folder, path);
  if (hooks.startsWith(`${folder}/`)) found.guarded.add(hooks);
}

/**
 * Adds the git folder, outside the workspace, of a linked worktree or separately checked out submodule. The `.git` file
 * in the workspace is not trusted: the git folder itself must refer to this workspace.
 */
function addOutsideGitFolder(found: Found, root: string, target: string): void {
  if (target === root || target.startsWith(`${root}/`)) return;
  const linked = findLinkedWorktree(root);
  if (linked !== undefined) {
    found.readable.add(linked.commonDirectory);
    for (const name of ["objects", "refs", "logs"]) found.writable.add(join(linked.commonDirectory, name));
    found.writable.add(target);
    for (const name of ["gitdir", "commondir", "config.worktree", "config", "hooks"])
      found.guarded.add(join(target, name));
    return;
  }
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readText(join(target, "config")) ?? "")?.[1];
  if (tree === undefined || realOf(resolve(target, tree)) !== root) return;
  found.writable.add(target);
  addGitFolder(found, target);
}

function submodulePaths(folder: string): string[] {
  const text = readText(join(folder, ".gitmodules")) ?? "";
  const paths = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map((match) => match[1] ?? "");
  return paths.filter((path) => resolve(folder, path).startsWith(`${folder}/`));
}

function findModules(folder: string, depth = MAX_MODULE_DEPTH): string[] {
  return listFolders(folder).flatMap((name) => {
    const inner = join(folder, name);
    if (readText(join(inner, "HEAD")) !== undefined) return [inner];
    return depth > 1 ? findModules(inner, depth - 1) : [];
  });
}

/** Returns folders below a workspace that have their own `.git`: submodules and nested clones. */
export function findWorkingTrees(root: string): string[] {
  const trees: string[] = [];
  let level = [root];
  let seen = 0;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      for (const name of listFolders(folder)) {
        if (name === ".git" || name === "node_modules" || ++seen > MAX_FOLDERS) continue;
        const inner = join(folder, name);
        next.push(inner);
        if (listEntries(inner).some((entry) => entry.name === ".git")) trees.push(inner);
      }
    }
    level = next;
  }
  return trees;
}

function listFolders(folder: string): string[] {
  return listEntries(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
