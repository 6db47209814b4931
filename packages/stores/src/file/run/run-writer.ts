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

/** Files with the record and the report of a run. Only the holder of the lease (the right to write) can write them. */
class RunDocuments {
  readonly #context: StoreContext;
  readonly #lease: HeldLease;
  #record: RunRecord;

  constructor(context: StoreContext, lease: HeldLease, record: RunRecord) {
    this.#context = context;
    this.#lease = lease;
    this.#record = record;
  }

  /** Record of the run, as it was stored last. */
  get record(): RunRecord {
    return this.#record;
  }

  async update(changes: Partial<RunRecord>): Promise<void> {
    const next = { ...this.#record, ...changes, run_id: this.#lease.runId, format: this.#record.format };
    await this.#write("record", next);
    this.#record = next;
  }

  /** Writes the report, and then the changed record, which shows that the run has ended. */
  async finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    await this.#write("report", report);
    await this.update(changes);
  }

  async #write(name: "record" | "report", value: object): Promise<void> {
    const path = join(this.#lease.folder, RUN_FILES[name]);
    await replaceFile(this.#context.files, this.#lease, { path, content: sealDocument(value) });
  }
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
  const documents = new RunDocuments(context, lease, parts.record);
  let released: Promise<void> | undefined;

  async function append(added: readonly EventText[]): Promise<void> {
    await events.append(added);
    watermark.begin();
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
    await inRecord(() => documents.finish(report, changes));
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
      return documents.record;
    },
    get lastSeq() {
      return events.lastSeq;
    },
    append: (added) => inEvents(() => append(added)),
    events: (afterSeq = 0) => readEvents(context, { runId, folder }, afterSeq),
    save: (checkpoint) => inCheckpoints(() => checkpoints.save(checkpoint)),
    load: () => inCheckpoints(() => checkpoints.load()),
    update: (changes) => inRecord(() => documents.update(changes)),
    finish,
    release,
  };
  return writer;
}
