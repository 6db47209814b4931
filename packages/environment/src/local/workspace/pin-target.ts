import type { Stats } from "node:fs";
import { lstat, mkdir, readlink } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { resolveWorkspacePath } from "../../path/workspace-path.ts";
import type { WorkspacePath } from "../../path/workspace-root.ts";
import type { LocalWorkspace, PinnedPath } from "./pin-path.ts";
import { assertChangeable, pinPath } from "./pin-path.ts";
import { OUTSIDE, systemCodeOf, systemError } from "./to-file-error.ts";

/** Maximum number of consecutive links, as in Linux. */
const MAX_LINKS = 40;

/** An entry of an opened folder, identified by its name. The entry need not exist. */
export interface PinnedTarget {
  /** Opened folder that contains the name. Contract: the owner disposes of it. */
  readonly parent: PinnedPath;
  /** Name of the entry in the folder. */
  readonly name: string;
}

/** Options for opening the parent folder of a path. */
export interface TargetOptions {
  /** If true, creates missing parent folders. */
  makeFolders?: boolean | undefined;
  /** If true, and the path is a symbolic link, uses the link's target instead. */
  followLink?: boolean | undefined;
}

/**
 * Opens the parent folder of a path. The root of the workspace has no parent in the workspace and is rejected with
 * `environment.invalid_path`.
 */
export async function pinTarget(
  workspace: LocalWorkspace,
  path: string,
  options: TargetOptions = {},
): Promise<PinnedTarget> {
  let current = path;
  for (let links = 0; links <= MAX_LINKS; links += 1) {
    const { absolute, relative } = resolveLink(workspace, current, path);
    if (relative === "") {
      throw new EngineError("environment.invalid_path", { path, problem: "it is the workspace itself" });
    }
    const name = basename(absolute);
    const folder = dirname(absolute);
    const parent =
      options.makeFolders === true ? await pinNewFolder(workspace, folder) : await pinFolder(workspace, folder);
    const link = options.followLink === true ? await readLink(parent, name) : undefined;
    if (link === undefined) return assertTarget(workspace, { parent, name });
    current = resolve(parent.real, link);
    await parent[Symbol.asyncDispose]();
  }
  throw new EngineError("environment.invalid_path", { path, problem: "its links form a cycle" });
}

async function assertTarget(workspace: LocalWorkspace, target: PinnedTarget): Promise<PinnedTarget> {
  try {
    assertChangeable(workspace, target.parent, target.name);
    return target;
  } catch (error) {
    await target.parent[Symbol.asyncDispose]();
    throw error;
  }
}

/** Errors contain the path that the caller requested, not the target of a link in it. */
function resolveLink(workspace: LocalWorkspace, current: string, path: string): WorkspacePath {
  try {
    return resolveWorkspacePath(workspace, current);
  } catch (error) {
    if (current !== path && EngineError.is(error, "environment.path_outside_workspace"))
      throw systemError(OUTSIDE, path);
    throw error;
  }
}

/** Opens an existing folder and verifies that it is inside the workspace. */
export function pinFolder(workspace: LocalWorkspace, absolute: string): Promise<PinnedPath> {
  return pinPath(workspace, absolute, { directory: true });
}

/**
 * Opens a folder and creates it, with its parents, if it is missing. Each folder is created inside an opened parent, so
 * that a swapped link cannot redirect the creation.
 */
export async function pinNewFolder(workspace: LocalWorkspace, absolute: string): Promise<PinnedPath> {
  try {
    return await pinFolder(workspace, absolute);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
  const { relative } = resolveWorkspacePath(workspace, absolute);
  let current = await pinOrMakeRoot(workspace);
  if (relative === "") return current;
  for (const name of relative.split("/")) {
    await using parent = current;
    current = await pinOrCreate(workspace, parent, name);
  }
  return current;
}

/**
 * A command may have removed the workspace folder. Then only this folder is created again, not its parent folders,
 * which are outside the workspace.
 */
async function pinOrMakeRoot(workspace: LocalWorkspace): Promise<PinnedPath> {
  try {
    return await pinFolder(workspace, workspace.real);
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
  await mkdir(workspace.real);
  return pinFolder(workspace, workspace.real);
}

/** Stats a path without following a link. Resolves with `undefined` if the path does not exist. */
export async function lstatIfExists(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function pinOrCreate(workspace: LocalWorkspace, parent: PinnedPath, name: string): Promise<PinnedPath> {
  try {
    return await pinFolder(workspace, parent.access(name));
  } catch (error) {
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
  try {
    assertChangeable(workspace, parent, name);
    await mkdir(parent.access(name));
  } catch (error) {
    // Another process has created the folder in the meantime.
    if (systemCodeOf(error) !== "EEXIST") throw error;
  }
  return pinFolder(workspace, parent.access(name));
}

async function readLink(parent: PinnedPath, name: string): Promise<string | undefined> {
  try {
    return await readlink(parent.access(name));
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "EINVAL" || code === "ENOENT" || code === "UNKNOWN") return undefined;
    await parent[Symbol.asyncDispose]();
    throw error;
  }
}
