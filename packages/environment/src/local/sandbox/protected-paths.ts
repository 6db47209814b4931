import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import { isAtOrBelow } from "./bubblewrap-arguments.ts";
import { isPlaceholder } from "./placeholder.ts";

/**
 * Names in a workspace that sandboxed commands can neither create nor change, whether or not they exist. Programs
 * outside the sandbox execute or obey these files. Git's files are added for each repository (`findRepositories`).
 */
export const PROTECTED_NAMES: readonly string[] = [
  ".gitmodules",
  ".envrc",
  ".vscode",
  ".idea",
  ".zed",
  ".devcontainer",
  ".claude",
  ".codex",
  ".cursor",
  ".gemini",
  ".windsurf",
  ".switchyard",
  ".mcp.json",
  ".npmrc",
];

/**
 * Names that programs read only in a home folder. If the workspace is not a home folder, only existing files of these
 * names are protected. Each missing name would cost every command a mount.
 */
export const PROTECTED_HOME_NAMES: readonly string[] = [
  ".gitconfig",
  ".ripgreprc",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
];

/** Mounts that prevent paths from being created, changed, removed or replaced. */
export interface Protection {
  /** Parent folders of protected paths, mounted over themselves so that they cannot be renamed. */
  readonly held: readonly string[];
  /** Existing paths, each mounted read-only over itself. */
  readonly readOnly: readonly string[];
  /**
   * Missing paths. Each needs a placeholder (an empty folder in the workspace), over which an empty read-only folder is
   * mounted.
   */
  readonly missing: readonly string[];
}

/**
 * Returns the mounts that protect paths below a base, for the current state of the disk. A mount needs a mount point:
 * for a missing path, an empty folder is needed in place of its first missing folder. Throws `environment.unavailable`
 * for a path that contains a link, because a link cannot be a mount point.
 */
export function planProtection(base: string, paths: readonly string[]): Protection {
  const [held, readOnly, missing] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const path of paths) {
    const steps = stepsTo(base, path);
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const kind = kindOf(step, path);
      if (kind === "missing") missing.add(step);
      // If a parent is a file, such as `.git` in a worktree, the path below it cannot exist. Protecting the file is
      // sufficient.
      else if (isLast || kind === "file") readOnly.add(step);
      else held.add(step);
      if (kind !== "folder") break;
    }
  }
  return { held: [...held], readOnly: [...readOnly], missing: [...missing] };
}

/** Returns the paths from a base down to a path, the path itself last. Empty if the path is not below the base. */
export function stepsTo(base: string, path: string): string[] {
  if (path === base || !isAtOrBelow(base, path)) return [];
  const names = relative(base, path).split(sep);
  return names.map((_, index) => join(base, ...names.slice(0, index + 1)));
}

function kindOf(step: string, path: string): "missing" | "folder" | "file" {
  try {
    const found = lstatSync(step);
    if (found.isSymbolicLink()) throw linkError(step, path);
    if (!found.isDirectory()) return "file";
    return isPlaceholder(step, found) ? "missing" : "folder";
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return "missing";
    // The user cannot access the path, so the user's commands cannot change it.
    if (systemCodeOf(error) === "EACCES") return "file";
    throw error;
  }
}

function linkError(step: string, path: string): EngineError {
  const where = step === path ? "it is a symbolic link" : `${step} is a symbolic link`;
  return new EngineError("environment.unavailable", {
    environment: "sandbox",
    problem: `${path} cannot be protected, as ${where}; put a file or folder in its place, or list it in \`unprotect\`.`,
  });
}
