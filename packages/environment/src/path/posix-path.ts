import { EngineError } from "@switchyard/contracts";
import type { WorkspacePath, WorkspaceRoot } from "./workspace-root.ts";

/** Longest name of one file or folder, in bytes, on the file systems in use. */
const MAX_NAME_BYTES = 255;
/** Longest path, in bytes; PATH_MAX of Linux less its final NUL. */
const MAX_PATH_BYTES = 4095;
const LONE_SURROGATE = /\p{Surrogate}/u;
// Names end up on terminals.
const CONTROL = /\p{Cc}/gu;

/** Refuses what no file system takes. Throws `environment.invalid_path`. */
export function assertUsablePath(path: string): void {
  const problem = findProblem(path);
  if (problem !== undefined) throw new EngineError("environment.invalid_path", { path: shorten(path), problem });
}

/**
 * The place of a path below a root whose paths follow the rules of POSIX, by its text alone; without any module of
 * Node, for places that are not on this machine.
 *
 * Throws `environment.invalid_path` and `environment.path_outside_workspace`. loop: §4.2.
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

/** An absolute path without `.`, `..`, empty names and a slash at its end. */
export function normalizePosixPath(absolute: string): string {
  const names: string[] = [];
  for (const name of absolute.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** A name or path below a folder, which may be the root of everything. */
export function joinPosixPath(folder: string, below: string): string {
  return folder.endsWith("/") ? folder + below : `${folder}/${below}`;
}

/** What leads from a folder to a path that is it or below it; both are normal. */
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
  // No character of UTF-16 takes less than a byte: what is longer is not encoded first.
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
