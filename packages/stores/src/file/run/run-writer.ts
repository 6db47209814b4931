import { join } from "node:path";
import type { EventText, RunRecord, RunRequest, RunWriter, SessionReport } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { sealDocument } from "../../codec/sealed-text.ts";
import type { WatermarkWriter } from "../../watermark/run-watermark.ts";
import { replaceFile } from "../disk/replace-file.ts";
import type { HeldLease } from "../lease/held-lease.ts";
import type { CheckpointLog } from "../log/checkpoint-log.ts";
import { type EventLog, readEvents } from "../log/event-log.ts";
import { RUN_FILES } from "./run-layout.ts";
import type { StoreContext } from "./store-context.ts";

/** Dependencies of a writer. */
export interface WriterParts {
  readonly lease: HeldLease;
  readonly events: EventLog;
  readonly checkpoints: CheckpointLog;
  readonly watermark: WatermarkWriter;
  readonly record: RunRecord;
  readonly request: RunRequest;
}

/** Creates the writer of a run whose lease this process holds. `onReleased` is called once. */
export function createRunWriter(
  context: StoreContext,
  parts: WriterParts,
  onReleased: (writer: RunWriter) => void,
): RunWriter {
  const { lease, events, checkpoints, watermark } = parts;
  const { runId, epoch, folder, signal } = lease;
  const [inEvents, inCheckpoints, inRecord] = [createSerial(), createSerial(), createSerial()];
  let record = parts.record;
  let released: Promise<void> | undefined;

  async function append(added: readonly EventText[]): Promise<void> {
    await events.append(added);
    watermark.begin();
  }
  async function write(name: "record" | "report", value: object): Promise<void> {
    await replaceFile(context.files, lease, { path: join(folder, RUN_FILES[name]), content: sealDocument(value) });
  }
  async function update(changes: Partial<RunRecord>): Promise<void> {
    const next = { ...record, ...changes, run_id: runId, format: record.format };
    await write("record", next);
    record = next;
  }
  async function close(): Promise<void> {
    // Pending writes are finished before the lease is released.
    await Promise.all([
      inEvents(() => events.close()),
      inCheckpoints(() => checkpoints.close()),
      inRecord(async () => {}),
    ]);
    watermark.close();
    await lease.release();
    onReleased(writer);
  }
  async function release(): Promise<void> {
    released ??= close();
    await released;
  }
  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    await inEvents(() => events.sync());
    await inRecord(async () => {
      await write("report", report);
      await update(changes);
    });
    await release();
  }
  const writer: RunWriter = {
    runId,
    epoch,
    folder,
    checkpointsAt: join(folder, RUN_FILES.checkpoints),
    request: parts.request,
    signal,
    get record() {
      return record;
    },
    get lastSeq() {
      return events.lastSeq;
    },
    append: (added) => inEvents(() => append(added)),
    events: (afterSeq = 0) => readEvents(context, { runId, folder }, afterSeq),
    save: (checkpoint) => inCheckpoints(() => checkpoints.save(checkpoint)),
    load: () => inCheckpoints(() => checkpoints.load()),
    update: (changes) => inRecord(() => update(changes)),
    finish,
    release,
  };
  return writer;
}
