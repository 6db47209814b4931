import { EngineError, type StoredRun } from "@switchyard/contracts";
import type { HostVariables } from "@switchyard/environment";
import type { Worktree } from "@switchyard/workspace";
import { createRunId } from "../run-files/run-id.ts";
import { readExactPatch } from "../stored-runs/exact-patch.ts";

/** Options of `openReplayWorktree`. */
export interface ReplayWorktreeOptions {
  /** Environment variables for git. */
  readonly env: HostVariables;
  /** Workspace folder of the run. */
  readonly workspace: string;
  /** Folder that stores runs. */
  readonly stateDirectory: string;
  /** Folder for temporary files of git. */
  readonly scratch: string;
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Opens a git worktree with the files that a run started with: the last commit and uncommitted changes, without the
 * changes of the run itself. The caller removes the worktree. Rejects with `run.not_replayable` if no worktree can be
 * created.
 */
export async function openReplayWorktree(run: StoredRun, options: ReplayWorktreeOptions): Promise<Worktree> {
  const { env, workspace, stateDirectory: state, scratch, now } = options;
  const { openWorktree } = await import("@switchyard/workspace");
  const runId = `replay-${createRunId(now)}`;
  const worktree = await openWorktree({ env, workspace, state, runId, scratch }).catch((error: unknown) => {
    if (!EngineError.is(error, "workspace.no_worktree")) throw error;
    const reason = String(error.details["problem"]);
    const problem = `no worktree of its workspace can be created (${reason}). Give a copy of it with --workspace.`;
    throw new EngineError("run.not_replayable", { runId: run.runId, problem }, { cause: error });
  });
  try {
    // The uncommitted changes of the workspace may include those that the run made. The worktree must have the files
    // with which the run started, so the run's changes are reverted in it.
    // If any of these changes cannot be reverted, because a file was edited or restored after the run, none is
    // reverted.
    if (worktree.leavesChanges) await worktree.revertChanges(await readExactPatch(run));
    return worktree;
  } catch (error) {
    await worktree.remove();
    throw error;
  }
}
