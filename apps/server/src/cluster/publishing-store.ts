import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type RunCluster, type RunStore, type RunWriter, type SessionReport } from "@switchyard/contracts";
import { readPatch } from "@switchyard/runner";
import { wrapWriter } from "../listing/wrap-writer.ts";
import { PATCH_FILES } from "../runs/open-patch.ts";
import type { StoredWorkspace } from "./stored-workspace.ts";

/** Name of the artifacts folder in a run folder. See architecture: a run on disk. */
const ARTIFACTS = "artifacts";

/** Changes to the record of a run that another worker is to continue. */
const QUEUED = { status: "queued", finished_at: undefined } as const;

/** Options of `publishingStore`. */
interface PublishingOptions {
  /**
   * Prepares the workspace. Called once, after the first lease was acquired, so that no other worker prepares the same
   * workspace.
   */
  readonly prepare: (writer: RunWriter) => Promise<StoredWorkspace | undefined>;
  /** Returns whether the run was interrupted because the worker shuts down. */
  readonly isShutDown: () => boolean;
}

/**
 * Wraps the store of a worker for the execution of one run. The artifacts of a run are stored on the broker before the
 * run's end is recorded there, so that every server can serve them. Before a checkpoint is saved, the changes of the
 * workspace are stored, so that another worker can continue the run.
 */
export function publishingStore(
  { store, putFile, removeFiles }: Pick<RunCluster, "store" | "putFile" | "removeFiles">,
  { prepare, isShutDown }: PublishingOptions,
): RunStore {
  let isPrepared = false;
  let workspace: StoredWorkspace | undefined;
  async function publish(runId: string, folder: string, { artifacts }: SessionReport): Promise<void> {
    for (const { path } of artifacts) {
      if (path === undefined) continue;
      const content = await readFile(join(folder, ARTIFACTS, path)).catch(() => undefined);
      if (content !== undefined) await putFile(runId, "artifacts", { path, content });
    }
  }
  /** Stores the patch if it differs from the diff in the report. */
  async function publishPatch({ runId, record }: RunWriter, report: SessionReport): Promise<void> {
    // The patch of an earlier attempt is no longer valid.
    if (record.attempt > 1) {
      for (const path of [PATCH_FILES.exact, PATCH_FILES.none]) await removeFiles(runId, "patch", path);
    }
    const { workspaceDiff } = report;
    if (workspaceDiff === undefined || workspaceDiff === "") return;
    const patch = await readPatch({ report }).catch(() => undefined);
    const path = patch === undefined ? PATCH_FILES.none : PATCH_FILES.exact;
    const content = Buffer.from(patch ?? "");
    if (patch === undefined || !content.equals(Buffer.from(workspaceDiff)))
      await putFile(runId, "patch", { path, content });
  }
  return {
    ...store,
    acquire: async (runId, options) => {
      const writer = await store.acquire(runId, options);
      try {
        // The leader may have offered the run twice, and the run has ended since.
        if (!isPrepared && writer.record.status !== "queued") throw new EngineError("run.finished", { runId });
        if (!isPrepared) workspace = await prepare(writer);
      } catch (error) {
        await writer.release().catch(() => undefined);
        throw error;
      } finally {
        isPrepared = true;
      }
      return wrapWriter(writer, {
        save: async (checkpoint) => {
          if (workspace === undefined) return writer.save(checkpoint);
          // The engine waits for this call, so the workspace belongs to the checkpoint.
          const files = await workspace.store();
          await writer.save(files === undefined ? checkpoint : { ...checkpoint, files });
          // What is not removed now is removed after the next checkpoint, or at the end of the run.
          await workspace.removeOld().catch(() => undefined);
        },
        finish: async (report, changes) => {
          await publish(runId, writer.folder, report);
          await publishPatch(writer, report);
          const goesOn = isShutDown() && report.status === "interrupted" && report.resumeError === undefined;
          // The record is queued by the write that ends the attempt, so that no client sees the run as ended.
          await writer.finish(report, goesOn ? { ...changes, ...QUEUED } : changes);
        },
      });
    },
  };
}
