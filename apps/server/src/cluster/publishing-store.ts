import {
  type Checkpoint,
  EngineError,
  isoTime,
  RESUMABLE_RUN_STATUSES,
  type RunCluster,
  type RunStore,
  type RunWriter,
} from "@switchyard/contracts";
import { wrapWriter } from "../listing/wrap-writer.ts";
import { shorterLimit } from "../run/shorter-limit.ts";
import { storeOutcome } from "./outcome-files.ts";
import type { PreparedWorkspace } from "./worker-workspace.ts";

/** Changes to the record of an interrupted run, so that another worker continues the run. */
const QUEUED = { status: "queued", finished_at: undefined } as const;

/** Options of `publishingStore`. */
interface PublishingOptions {
  /**
   * Prepares the workspace. Called once, after the first lease was acquired, so that no other worker prepares the same
   * workspace.
   */
  readonly prepare: (writer: RunWriter) => Promise<Pick<PreparedWorkspace, "stored" | "claim"> | undefined>;
  /**
   * Maximum time limit of the run, in seconds. It replaces a longer limit of the stored request. Default: unlimited.
   */
  readonly maxRunSeconds?: number | undefined;
  /** Wall clock, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Called before events are stored. */
  readonly onAppend: () => void;
  /** Returns whether the run was interrupted because the worker shuts down. */
  readonly isShutDown: () => boolean;
}

type PublishedWorkspace = Pick<PreparedWorkspace, "stored" | "claim">;

/** Saves a checkpoint after the changes of the workspace, which the checkpoint names. */
async function saveWithFiles(writer: RunWriter, workspace: PublishedWorkspace, checkpoint: Checkpoint): Promise<void> {
  // The engine waits for this call, so the workspace belongs to the checkpoint.
  const files = await workspace.stored.store();
  await writer.save(files === undefined ? checkpoint : { ...checkpoint, files });
  // The store has accepted the checkpoint, so no other worker on this machine has claimed the workspace.
  await workspace.claim();
  // What is not removed now is removed after the next checkpoint, or at the end of the run.
  await workspace.stored.removeOld().catch(() => undefined);
}

/**
 * Wraps the store of a worker for the execution of one run. The artifacts of a run are stored on the broker before the
 * run's end is recorded there, so that every server can serve them. Before a checkpoint is saved, the changes of the
 * workspace are stored, so that another worker can continue the run.
 */
export function publishingStore(
  cluster: Pick<RunCluster, "store" | "putFile" | "removeFiles">,
  { prepare, isShutDown, maxRunSeconds, now = Date.now, onAppend }: PublishingOptions,
): RunStore {
  const { store } = cluster;
  let isPrepared = false;
  let workspace: PublishedWorkspace | undefined;
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
      const { input } = writer.request;
      return wrapWriter(writer, {
        request: { ...writer.request, input: { ...input, ...shorterLimit(maxRunSeconds, input) } },
        append: (events) => {
          onAppend();
          return writer.append(events);
        },
        save: (checkpoint) =>
          workspace === undefined ? writer.save(checkpoint) : saveWithFiles(writer, workspace, checkpoint),
        finish: async (report, changes) => {
          if (workspace !== undefined && RESUMABLE_RUN_STATUSES.includes(report.status)) {
            // An empty write confirms the lease. A worker that has lost the run must not claim its successor's
            // workspace.
            await writer.append([]);
            await workspace.claim();
          }
          const outcome = await storeOutcome(cluster, writer, report);
          const isRequeued = isShutDown() && report.status === "interrupted" && report.resumeError === undefined;
          const ended = { ...changes, files_epoch: outcome.epoch, undone_at: undefined };
          // The record is queued by the write that ends the attempt, so that no client sees the run as ended.
          await writer
            .finish(report, isRequeued ? { ...ended, ...QUEUED, queued_at: isoTime(now()) } : ended)
            .catch(async (error: unknown) => {
              // Another worker has taken the run over, so no record will ever name these files.
              if (EngineError.is(error, "store.stale_epoch")) await outcome.discard();
              throw error;
            });
          await outcome.removeEarlier();
        },
      });
    },
  };
}
