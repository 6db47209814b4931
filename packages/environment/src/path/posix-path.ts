import { EngineError } from "@switchyard/contracts";
import type { WorkspacePath, WorkspaceRoot } from "./workspace-root.ts";

/** Maximum length of a file name, in bytes, on common file systems. */
const MAX_NAME_BYTES = 255;
/** Maximum length of a path, in bytes: Linux's PATH_MAX without the final NUL. */
const MAX_PATH_BYTES = 4095;
const LONE_SURROGATE = /\p{Surrogate}/u;
// Control characters are rejected, because paths are printed on terminals.
const CONTROL = /\p{Cc}/gu;

/** Rejects paths that no file system accepts. Throws `environment.invalid_path`. */
export function assertUsablePath(path: string): void {
  const problem = findProblem(path);
  if (problem !== undefined) throw new EngineError("environment.invalid_path", { path: shorten(path), problem });
}

/**
 * Resolves a path below a POSIX root as text, without file access. Uses no Node module, so it works for remote
 * environments.
 *
 * Throws `environment.invalid_path` and `environment.path_outside_workspace`. See loop: §4.2.
 */
export function resolvePosixPath(root: WorkspaceRoot, path: string): WorkspacePath {
  assertUsablePath(path);
  const absolute = normalizePosixPath(path.startsWith("/") ? path : `${root.real}/${path}`);
  for (const spelling of [root.real, ...(root.aliases ?? [])]) {
    const relative = pathBelow(normalizePosixPath(spelling), absolute);
    if (relative === undefined) continue;
    return { given: path, absolute: relative === "" ? root.real : joinPosixPath(root.real, relative), relative };
  }
  throw new EngineError("environment.path_outside_workspace", { path, root: root.real });
}

/** Returns an absolute path without `.`, `..`, empty names and a trailing slash. */
export function normalizePosixPath(absolute: string): string {
  const names: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** Joins a folder, possibly the file system root, and a name or path. */
export function joinPosixPath(folder: string, below: string): string {
  return folder.endsWith("/") ? folder + below : `${folder}/${below}`;
}

/** Returns the relative path from a folder to a normalised path that is the folder itself or below it. */
export function pathBelow(folder: string, absolute: string): string | undefined {
  if (absolute === folder) return "";
  const start = folder === "/" ? folder : `${folder}/`;
  return absolute.startsWith(start) ? absolute.slice(start.length) : undefined;
}

function findProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it contains a NUL character";
  if (LONE_SURROGATE.test(path)) return "it is not valid Unicode";
  const encoder = new TextEncoder();
  // Every UTF-16 code unit needs at least one byte. A text with more code units than the limit is too long.
  if (path.length > MAX_PATH_BYTES || encoder.encode(path).length > MAX_PATH_BYTES) {
    return `it is longer than ${MAX_PATH_BYTES} bytes`;
  }
  const tooLong = path.split("/").some((name) => encoder.encode(name).length > MAX_NAME_BYTES);
  return tooLong ? `a name in it is longer than ${MAX_NAME_BYTES} bytes` : undefined;
}

function shorten(path: string): string {
  const visible = path.replace(CONTROL, "\uFFFD");
  return visible.length <= 200 ? visible : `${visible.slice(0, 200)}…`;
}
