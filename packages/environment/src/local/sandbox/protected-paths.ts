import { lstatSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf } from "../workspace/to-file-error.ts";
import { isAtOrBelow } from "./bubblewrap-arguments.ts";
import { isPlaceholder } from "./placeholder.ts";

/**
 * Names of a workspace that no command of a sandbox creates or changes, whether or not they exist: programs outside of
 * the sandbox run what they say. Those of git are added for each repository (`findRepositories`).
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
 * Names that programs look for in a home folder alone. In another workspace they are protected where they exist: each
 * name that does not costs every command a mount.
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

/** What is mounted so that paths cannot be created, changed, removed or replaced. */
export interface Protection {
  /** Folders that lead to a protected path: mounted over themselves, so that they cannot be renamed. */
  readonly held: readonly string[];
  /** What exists: mounted read-only over itself. */
  readonly readOnly: readonly string[];
  /** What does not: a placeholder is needed, over which an empty read-only folder is mounted. */
  readonly missing: readonly string[];
}

/**
 * How paths below a base are protected as the disk is now. A mount needs something to be mounted on: of a path that
 * does not exist, the first missing folder gets a placeholder. Throws `environment.unavailable` for a path that leads
 * through a link, which nothing can be mounted on.
 */
export function planProtection(base: string, paths: readonly string[]): Protection {
  const [held, readOnly, missing] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const path of paths) {
    const steps = stepsTo(base, path);
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const kind = kindOf(step, path);
      if (kind === "missing") missing.add(step);
      // A file in place of a folder, such as the `.git` of a worktree: nothing can be inside while it stays.
      else if (isLast || kind === "file") readOnly.add(step);
      else held.add(step);
      if (kind !== "folder") break;
    }
  }
  return { held: [...held], readOnly: [...readOnly], missing: [...missing] };
}

/** The paths that lead from a base to a path below it, the path itself last; none for the base and what is not below. */
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
    // What this user cannot look into, its commands cannot change.
    if (systemCodeOf(error) === "EACCES") return "file";
    throw error;
  }
}

function linkError(step: string, path: string): EngineError {
  const where = step === path ? "it is a link" : `${step} is a link`;
  return new EngineError("environment.unavailable", {
    environment: "sandbox",
    problem: `${path} cannot be protected, as ${where}; put a file or folder in its place, or list it in \`unprotect\`.`,
  });
}
