import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import { isAtOrBelow } from "./bubblewrap-arguments.ts";
import { isPlaceholder } from "./placeholder.ts";

/**
 * Names of files and folders in a workspace that sandboxed commands can neither create nor change. Programs outside the
 * sandbox execute these files or use them as configuration. Git's files are added for each repository
 * (`findRepositories`).
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
 * Names of files that programs read only in a home folder. If the workspace is not a home folder, such a file is
 * protected only if it exists. Protecting a missing file needs an additional mount for every command.
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

/** Paths to mount so that commands can neither create, change, remove nor replace the protected paths. */
export interface Protection {
  /** Parent folders of protected paths, mounted over themselves so that they cannot be renamed. */
  readonly parents: readonly string[];
  /** Existing paths, each mounted read-only over itself. */
  readonly readOnly: readonly string[];
  /**
   * Missing paths. At each of them, an empty folder (placeholder) is created in the workspace, and a read-only folder
   * is mounted over it.
   */
  readonly missing: readonly string[];
}

/**
 * Returns the mounts that protect paths below a base folder, for the current state of the disk. If several folders of a
 * path are missing, the first missing one is the mount point. Throws `environment.unavailable` for a path that contains
 * a symbolic link, because a link cannot be a mount point.
 */
export function planProtection(base: string, paths: readonly string[]): Protection {
  const [parents, readOnly, missing] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const path of paths) {
    const steps = stepsTo(base, path);
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const kind = kindOf(step, path);
      if (kind === "missing") missing.add(step);
      // If a parent is a file (`.git` in a worktree), protecting the file protects every path below it.
      else if (isLast || kind === "file") readOnly.add(step);
      else parents.add(step);
      if (kind !== "folder") break;
    }
  }
  return { parents: [...parents], readOnly: [...readOnly], missing: [...missing] };
}

/**
 * Returns a path and all its parent folders below a base folder, outermost first. Empty if the path is not below the
 * base folder.
 */
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
    // EACCES: this user cannot access the path, so the user's commands cannot change it.
    if (systemCodeOf(error) === "EACCES") return "file";
    throw error;
  }
}

function linkError(step: string, path: string): EngineError {
  const reason = step === path ? "it is a symbolic link" : `${step} is a symbolic link`;
  return new EngineError("environment.unavailable", {
    environment: "sandbox",
    problem: `${path} cannot be protected, because ${reason}; put a file or folder in its place, or list it in \`unprotect\`.`,
  });
}
