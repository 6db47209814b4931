import type { RunRecord, RunStatus } from "@switchyard/contracts";
import type { RunFolder } from "./run-folder.ts";

/** Keeps the record of a run as its state changes; one write at a time. */
export interface RunStatusKeeper {
  /** The record as it is now. */
  readonly record: RunRecord;
  /** Changes the state while the run goes on. */
  set(status: RunStatus): Promise<void>;
  /** Writes the last record of the run, durably. D7. */
  finish(changes: Pick<RunRecord, "status" | "finished_at" | "model">): Promise<void>;
}

/** Makes the keeper of a record that is in its folder already. */
export function createRunStatusKeeper(folder: RunFolder, initial: RunRecord): RunStatusKeeper {
  let record = initial;
  let writing: Promise<void> = Promise.resolve();

  function write(next: RunRecord, options: { durable: boolean }): Promise<void> {
    record = next;
    writing = writing.catch(() => undefined).then(() => folder.writeRecord(next, options));
    return writing;
  }
  return {
    get record() {
      return record;
    },
    set: (status) => write({ ...record, status }, { durable: false }),
    finish: (changes) => write({ ...record, ...changes }, { durable: true }),
  };
}
