import { mkdir, rm } from "node:fs/promises";
import type { RunWriter } from "@switchyard/contracts";
import { WatermarkWriter } from "../../watermark/run-watermark.ts";
import { toStoreFailure } from "../broker/broker-failure.ts";
import { createCheckpointLog } from "./checkpoint-log.ts";
import { createEventLog, storedEvents } from "./event-log.ts";
import type { HeldLease } from "./lease-registry.ts";
import { createRecordWriter } from "./record-writer.ts";
import { type NatsContext, watermarkOf } from "./run-location.ts";
import type { RunDocuments } from "./run-meta.ts";

const FOLDER_MODE = 0o700;

/** Creates the folder for files of the run. Resolves with false if the folder existed. Rejects with `run.store_failed`. */
async function makeFolder(folder: string): Promise<boolean> {
  const created = await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw toStoreFailure(error, folder);
  });
  return created !== undefined;
}

/** Removes the folder with files of the run. Rejects with `run.store_failed`. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
    throw toStoreFailure(error, folder);
  });
}

/** Opens the writer of a run whose lease is held. Rejects with `store.stale_epoch` or `run.store_failed`. */
export async function openRunWriter(context: NatsContext, lease: HeldLease, found: RunDocuments): Promise<RunWriter> {
  const { broker } = context;
  const { location, epoch } = lease;
  // From here on, the previous writer can no longer write events and checkpoints.
  const [eventFence, checkpointFence] = await Promise.all([lease.fence("events"), lease.fence("checkpoints")]);
  const events = createEventLog(broker, lease, eventFence);
  const isEmpty = await makeFolder(location.folder);
  const options = watermarkOf(location, found.record);
  const watermark = new WatermarkWriter(options, epoch, { isMissing: isEmpty });
  const checkpoints = createCheckpointLog(broker, lease, { ...checkpointFence, watermark, options });
  const record = createRecordWriter(context, lease, found);

  /** Runs a task after all pending calls of this writer. */
  async function last(task: () => Promise<void>): Promise<void> {
    await Promise.all([events.settle(), checkpoints.settle()]);
    watermark.close();
    await task();
  }
  const closeWriter = (): Promise<void> => last(record.release);
  lease.onClose(closeWriter);
  return {
    runId: location.runId,
    epoch,
    folder: location.folder,
    checkpointsAt: location.path,
    get record() {
      return record.current();
    },
    request: record.request,
    get lastSeq() {
      return events.lastSeq;
    },
    // If the stream was restored from an older copy, the watermark shows that the run once had a writer.
    isNew: lease.isNew && watermark.isLatest,
    signal: lease.signal,
    append: async (added) => {
      await events.append(added);
      watermark.begin();
    },
    events: (afterSeq = 0) => storedEvents(broker, location, afterSeq),
    save: checkpoints.save,
    load: checkpoints.load,
    update: record.update,
    finish: (report, changes) => last(() => record.finish(report, changes)),
    release: closeWriter,
  };
}
