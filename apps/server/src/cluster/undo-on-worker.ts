import {
  EngineError,
  isoTime,
  RESUMABLE_RUN_STATUSES,
  type RunCluster,
  type RunRecord,
  type RunWriter,
  TERMINAL_RUN_STATUSES,
  type UndoRequest,
} from "@switchyard/contracts";
import { undoRun } from "@switchyard/runner";
import { workspacePath } from "../run/run-workspace.ts";
import type { OfferedFolders } from "./offered-folders.ts";
import { loadUndoFiles } from "./outcome-files.ts";
import { prepareWorkspace, type WorkspaceParts } from "./worker-workspace.ts";

/** What a worker needs to revert the changes of runs. */
export interface UndoParts {
  /** Connection to the cluster. */
  readonly cluster: RunCluster;
  /** Folders that the worker offers to runs as workspaces. */
  readonly folders: Pick<OfferedFolders, "pathOf">;
  /** How workspaces are prepared. */
  readonly workspaces: WorkspaceParts;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Reverts the changes of a run that has ended. They are in a folder of this worker or in the run's own workspace. A
 * worker that does not have the workspace restores it first, up to the last checkpoint. Holds the lease of the run
 * meanwhile, so that no worker resumes the run. Rejects with `server.run_at_work`, `run.not_undoable`, `workspace.*`
 * and `broker.*`; then nothing was reverted.
 */
export async function undoOnWorker({ runId, isDryRun }: UndoRequest, parts: UndoParts): Promise<void> {
  const { cluster, workspaces, now } = parts;
  const { stateDirectory, worker, env } = workspaces;
  const writer = await acquire(runId, cluster);
  try {
    assertUndoable(writer.record);
    const stored = await cluster.store.show(runId);
    const { report } = stored;
    if (report === undefined) throw refusal(runId, "it has no report");
    const path = await openWorkspace(writer, parts);
    if (writer.record.worker !== worker) await loadUndoFiles(stored, writer.folder, cluster);
    const run = {
      ...stored,
      // Only this worker holds the lease, and the paths of another machine mean nothing here.
      lease: { epoch: writer.epoch, isHeld: false },
      report: { ...report, runFolder: writer.folder },
    };
    const nowMs = now();
    await undoRun(run, { env, stateDirectory, workspace: path, now: nowMs, dryRun: isDryRun });
    // The run can only be resumed where its workspace is.
    if (!isDryRun) await writer.update({ undone_at: isoTime(nowMs), worker });
  } finally {
    await writer.release();
  }
}

async function acquire(runId: string, { store }: RunCluster): Promise<RunWriter> {
  return store.acquire(runId).catch((error: unknown) => {
    throw EngineError.is(error, "run.leased") ? new EngineError("server.run_at_work", { runId }) : error;
  });
}

/**
 * Throws `server.run_at_work` if the run has not ended, and `run.not_undoable` if its changes cannot be reverted on any
 * worker.
 */
export function assertUndoable({ run_id: runId, status, undone_at: undoneAt, placement }: RunRecord): void {
  if (!TERMINAL_RUN_STATUSES.includes(status)) throw new EngineError("server.run_at_work", { runId });
  if (undoneAt !== undefined) throw refusal(runId, `it was already undone at ${undoneAt}`);
  if (placement?.workspace?.folder === undefined && !RESUMABLE_RUN_STATUSES.includes(status)) {
    throw refusal(runId, "its workspace was removed when the run ended");
  }
}

/** Resolves with the path of the workspace. */
async function openWorkspace(writer: RunWriter, { folders, workspaces }: UndoParts): Promise<string> {
  const folder = folders.pathOf(writer.record);
  if (folder !== undefined) return folder;
  await using prepared = await prepareWorkspace(writer, workspaces);
  await prepared.claim();
  return workspacePath(workspaces.stateDirectory, writer.runId);
}

/** Returns the error for changes that cannot be reverted. */
export function refusal(runId: string, problem: string): EngineError {
  return new EngineError("run.not_undoable", { runId, problem });
}
