import { mkdir, rm } from "node:fs/promises";
import type { RunRecord, RunRequest, RunWriter, SessionReport } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { sealDocument } from "../../codec/sealed-text.ts";
import { WatermarkWriter } from "../../watermark/run-watermark.ts";
import { toStoreFailure } from "../broker/broker-failure.ts";
import { WriteConflict } from "../broker/fenced-subject.ts";
import { createCheckpointLog } from "./checkpoint-log.ts";
import { createEventLog, storedEvents } from "./event-log.ts";
import type { HeldLease } from "./lease-registry.ts";
import { type NatsContext, watermarkOf } from "./run-location.ts";
import { forgetRecords, type MetaState, metaEntry, storeDocument } from "./run-meta.ts";

const FOLDER_MODE = 0o700;

/** State of a run when its writer starts. */
export interface WriterState {
  readonly record: RunRecord;
  readonly request: RunRequest;
  /** References to the run's request and report, which are stored as separate messages. */
  readonly stored: Pick<MetaState, "request" | "report">;
}

/** Creates the folder for files of the run. Rejects with `run.store_failed`. */
async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw toStoreFailure(error, folder);
  });
}

/** Removes the folder with files of the run. Rejects with `run.store_failed`. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    throw toStoreFailure(error, folder);
  });
}

/** Opens the writer of a run whose lease is held. Rejects with `store.stale_epoch` or `run.store_failed`. */
export async function openRunWriter(context: NatsContext, lease: HeldLease, found: WriterState): Promise<RunWriter> {
  const { broker, owner } = context;
  const { location, epoch } = lease;
  // From here on, the previous writer can no longer write events and checkpoints.
  const [eventFence, checkpointFence] = await Promise.all([lease.fence("events"), lease.fence("checkpoints")]);
  const events = createEventLog(broker, lease, eventFence);
  await makeFolder(location.folder);
  const options = watermarkOf(location, found.record);
  const watermark = new WatermarkWriter(options, epoch);
  const checkpoints = createCheckpointLog(broker, lease, { ...checkpointFence, watermark, options });
  const inRecord = createSerial();
  // The record is copied, because the caller may change the original.
  const { request, ...first } = structuredClone(found);
  let { record, stored } = first;

  /** Stores changes of the run's record. If the stored record names no owner, this also releases the lease. */
  async function change(
    changes: Partial<RunRecord>,
    state: Partial<MetaState> = { owner: owner.token },
  ): Promise<void> {
    const next = { ...record, ...changes, run_id: location.runId, format: record.format };
    const document = { body: sealDocument(next), state: { ...stored, ...state, epoch } };
    const entry = await metaEntry(context, location, document);
    await lease.guard(() => lease.meta.append(entry));
    record = next;
    stored = { ...stored, report: state.report ?? stored.report };
  }

  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    lease.checkHeld();
    // The report is stored before the record that refers to it. Without this record, the report is ignored.
    await change(changes, { report: await storeDocument(context, location, sealDocument(report)) });
    lease.forget();
    await forgetRecords(context, location, lease.meta.last).catch(() => undefined);
  }

  async function release(): Promise<void> {
    try {
      lease.checkHeld();
    } catch {
      return;
    }
    const entry = await metaEntry(context, location, { body: sealDocument(record), state: { ...stored, epoch } });
    await lease.meta.append(entry).catch((error: unknown) => {
      // Another process has taken over the lease, so there is nothing to release.
      if (!(error instanceof WriteConflict)) throw error;
    });
    lease.forget();
  }

  /** Runs a task after all pending calls of this writer. */
  async function last(task: () => Promise<void>): Promise<void> {
    await Promise.all([events.settle(), checkpoints.settle()]);
    watermark.close();
    await inRecord(task);
  }
  const closeWriter = (): Promise<void> => last(release);
  lease.onClose(closeWriter);
  return {
    runId: location.runId,
    epoch,
    folder: location.folder,
    checkpointsAt: location.path,
    get record() {
      return { ...record };
    },
    request,
    get lastSeq() {
      return events.lastSeq;
    },
    signal: lease.signal,
    append: async (added) => {
      await events.append(added);
      watermark.begin();
    },
    events: (afterSeq = 0) => storedEvents(broker, location, afterSeq),
    save: checkpoints.save,
    load: checkpoints.load,
    update: (changes) => inRecord(() => change(changes)),
    finish: (report, changes) => last(() => finish(report, changes)),
    release: closeWriter,
  };
}
