import { join } from "node:path";
import { type HostVariables, parseEnvironmentName } from "@switchyard/environment";
import { assertSafeFolder, RUNS_FOLDER } from "@switchyard/stores/file";
import {
  type GitInput,
  lockWorkspace,
  openWorktree,
  type WorkspaceLockOptions,
  type Worktree,
} from "@switchyard/workspace";

/** Options of `claimWorkspace`. */
export interface ClaimWorkspaceOptions extends WorkspaceLockOptions {
  /** Environment variables of the program that starts the run, used to find git. */
  readonly env: HostVariables;
  /** Name of the run's environment, such as `local` or `docker:IMAGE`. */
  readonly environment: string;
  /** Whether the run is read-only. Such a run does not lock the folder. */
  readonly isReadOnly: boolean;
  /** Whether other runs may work in the folder at the same time. Default: false. */
  readonly shareWorkspace?: boolean | undefined;
  /** Creates a git worktree of the folder for the run, instead of a lock. Default: no worktree. */
  readonly worktree?:
    | {
        /** Patch that is applied to the worktree. */
        readonly patch?: GitInput | undefined;
        /** Whether submodules are checked out. Default: false. */
        readonly worktreeSubmodules?: boolean | undefined;
      }
    | undefined;
}

/**
 * Workspace that is reserved for a run. Disposing this object unlocks the folder. It does not remove a worktree;
 * methods of `worktree` do.
 */
export interface ClaimedWorkspace extends AsyncDisposable {
  /** Folder in which the run works. */
  readonly workspace: string;
  /** The worktree, if one was created. */
  readonly worktree?: Worktree | undefined;
}

/**
 * Reserves a folder for a run, so that no other run writes to it meanwhile: locks the folder, or creates a git worktree
 * of it. If the run does not write to the folder, or other runs may share it, locks nothing. Rejects with `workspace.*`
 * and `run.store_failed`.
 */
export async function claimWorkspace(workspace: string, options: ClaimWorkspaceOptions): Promise<ClaimedWorkspace> {
  const { state, worktree: choice, isReadOnly, shareWorkspace, environment } = options;
  // Checks that the state folder is usable before a lock or a worktree is created in it.
  await assertSafeFolder({ directory: state, content: join(state, RUNS_FOLDER) });
  if (choice !== undefined) {
    const worktree = await openWorktree({ ...options, ...choice, workspace });
    return { workspace: worktree.workspace, worktree, [Symbol.asyncDispose]: async () => {} };
  }
  if (isReadOnly || shareWorkspace === true || !writesToFolder(environment)) {
    return { workspace, [Symbol.asyncDispose]: async () => {} };
  }
  const lock = await lockWorkspace(workspace, options);
  return { workspace, [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose]() };
}

/**
 * Returns whether a run in this environment writes directly to the workspace folder. Other environments use a copy, or
 * a folder on another machine.
 */
export function writesToFolder(environment: string): boolean {
  const parsed = parseEnvironmentName(environment);
  if ("problem" in parsed) return false;
  return parsed.type === "local" || parsed.type === "sandbox" || (parsed.type === "docker" && "image" in parsed);
}
