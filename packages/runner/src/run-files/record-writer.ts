import { EngineError, type RunRecord, type RunStatus, type RunWriter, type SessionReport } from "@switchyard/contracts";

/** Writes the record of a run when its status changes, one write at a time. */
export interface RecordWriter {
  /** Last run status that was set. */
  readonly status: RunStatus;
  /**
   * Sets status and related fields while the run is active. Rejects with `run.store_failed` or `store.stale_epoch`, or
   * with `run.finished` after the run has ended.
   */
  set(status: RunStatus, changes?: Pick<Partial<RunRecord>, "attempt" | "newest_checkpoint">): Promise<void>;
  /** Writes the report and the last record of this attempt, and releases the lease. See durability promise D7. */
  finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void>;
  /** Writes the last record without a report, and releases the lease (the right to write to the run). Never rejects. */
  giveUp(changes: Partial<RunRecord>): Promise<void>;
}

/** Creates the record writer of a run. */
export function createRecordWriter(writer: RunWriter, initial: RunStatus): RecordWriter {
  let status = initial;
  let isOver = false;
  let writing: Promise<void> = Promise.resolve();

  function write(action: () => Promise<void>): Promise<void> {
    writing = writing.catch(() => undefined).then(action);
    return writing;
  }
  return {
    get status() {
      return status;
    },
    set: async (next, changes) => {
      // An engine that still works after the run has ended must not change the final status. See durability promise D7.
      if (isOver) throw new EngineError("run.finished", { runId: writer.runId });
      status = next;
      await write(() => writer.update({ ...changes, status: next }));
    },
    finish: (report, changes) => {
      isOver = true;
      return write(() => writer.finish(report, changes));
    },
    giveUp: async (changes) => {
      isOver = true;
      await write(() => writer.update(changes)).catch(() => undefined);
      await writer.release().catch(() => undefined);
    },
  };
}
