import { EngineError, type RunRecord, type RunStatus, type RunWriter, type SessionReport } from "@switchyard/contracts";

/** Keeps the record of a run as its state changes; one write at a time. */
export interface RecordWriter {
  /** State of the run as it was set last. */
  readonly status: RunStatus;
  /** Changes the state, and what goes with it, while the run goes on. Rejects with `run.store_failed`, `store.stale_epoch` or, behind the end, `run.finished`. */
  set(status: RunStatus, changes?: Pick<Partial<RunRecord>, "attempt" | "newest_checkpoint">): Promise<void>;
  /** Keeps the report and the last record of this attempt, and gives the lease back. D7. */
  finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void>;
  /** Keeps the last record without a report, and gives the lease back whatever comes. */
  giveUp(changes: Partial<RunRecord>): Promise<void>;
}

/** Makes the keeper of a run's record. */
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
      // What an engine still does behind its end must not change the state for good. D7.
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
