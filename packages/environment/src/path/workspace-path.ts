import { posix, win32 } from "node:path";
import { EngineError } from "@switchyard/contracts";

/** Longest name of one file or folder, in bytes, on the file systems in use. */
const MAX_NAME_BYTES = 255;
/** Longest path, in bytes; PATH_MAX of Linux less its final NUL. */
const MAX_PATH_BYTES = 4095;
const LONE_SURROGATE = /\p{Surrogate}/u;
// Names end up on terminals.
const CONTROL = /\p{Cc}/gu;

/** A folder that paths are confined to. */
export interface WorkspaceRoot {
  /** Absolute path without links. */
  readonly real: string;
  /** Other absolute spellings of the same folder, for instance through a link. */
  readonly aliases?: readonly string[] | undefined;
  /** Whose rules paths follow; `posix` by default. */
  readonly style?: "posix" | "windows" | undefined;
}

/** A path after the lexical check. */
export interface WorkspacePath {
  /** As the caller wrote it. */
  readonly given: string;
  /** Absolute, below the root's real path, without `.` and `..`. */
  readonly absolute: string;
  /** Below the root, with `/`; empty for the root itself. */
  readonly relative: string;
}

/** Refuses what no file system takes. Throws `environment.invalid_path`. */
function assertUsablePath(path: string): void {
  const problem = findProblem(path);
  if (problem !== undefined) throw new EngineError("environment.invalid_path", { path: shorten(path), problem });
}

/**
 * The place of a path below the root, by its text alone. Links are not looked at: what is opened must be checked
 * again at the moment of use.
 *
 * Throws `environment.invalid_path` and `environment.path_outside_workspace`. loop: §4.2.
 */
export function resolveWorkspacePath(root: WorkspaceRoot, path: string): WorkspacePath {
  assertUsablePath(path);
  const rules = root.style === "windows" ? win32 : posix;
  const absolute = rules.resolve(root.real, path);
  for (const spelling of [root.real, ...(root.aliases ?? [])]) {
    const relative = rules.relative(spelling, absolute);
    if (!staysBelow(relative, rules)) continue;
    return {
      given: path,
      absolute: relative === "" ? root.real : rules.join(root.real, relative),
      relative: relative.split(rules.sep).join("/"),
    };
  }
  throw new EngineError("environment.path_outside_workspace", { path, root: root.real });
}

/** Whether an absolute path without links is the root or below it. */
export function isBelow(root: WorkspaceRoot, real: string): boolean {
  const rules = root.style === "windows" ? win32 : posix;
  return staysBelow(rules.relative(root.real, real), rules);
}

function staysBelow(relative: string, rules: typeof posix): boolean {
  return relative !== ".." && !relative.startsWith(`..${rules.sep}`) && !rules.isAbsolute(relative);
}

function findProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.includes("\0")) return "it contains a NUL character";
  if (LONE_SURROGATE.test(path)) return "it is not valid Unicode";
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  const tooLong = path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return tooLong ? `a name in it is longer than ${MAX_NAME_BYTES} bytes` : undefined;
}

function shorten(path: string): string {
  const visible = path.replace(CONTROL, "\uFFFD");
  return visible.length <= 200 ? visible : `${visible.slice(0, 200)}…`;
}
