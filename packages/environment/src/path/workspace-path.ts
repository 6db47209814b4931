import { win32 } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { assertUsablePath, pathBelow, resolvePosixPath } from "./posix-path.ts";
import type { WorkspacePath, WorkspaceRoot } from "./workspace-root.ts";

/**
 * Resolves a path below the root as text, without file access. Symbolic links are not resolved, so the caller must
 * check the location again after opening it.
 *
 * Throws `environment.invalid_path` and `environment.path_outside_workspace`. See loop: §4.2.
 */
export function resolveWorkspacePath(root: WorkspaceRoot, path: string): WorkspacePath {
  if (root.style !== "windows") return resolvePosixPath(root, path);
  assertUsablePath(path);
  const absolute = win32.resolve(root.real, path);
  for (const spelling of [root.real, ...(root.aliases ?? [])]) {
    const relative = win32.relative(spelling, absolute);
    if (!staysBelow(relative)) continue;
    return {
      given: path,
      absolute: relative === "" ? root.real : win32.join(root.real, relative),
      relative: relative.split(win32.sep).join("/"),
    };
  }
  throw new EngineError("environment.path_outside_workspace", { path, root: root.real });
}

/** Returns whether an absolute path with links resolved is the root or below it. */
export function isBelow(root: WorkspaceRoot, real: string): boolean {
  if (root.style === "windows") return staysBelow(win32.relative(root.real, real));
  return pathBelow(root.real, real) !== undefined;
}

function staysBelow(relative: string): boolean {
  return relative !== ".." && !relative.startsWith(`..${win32.sep}`) && !win32.isAbsolute(relative);
}
