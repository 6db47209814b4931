import { mkdir } from "node:fs/promises";
import type { RunRecord, RunRequest, RunWriter, SessionReport } from "@switchyard/contracts";
import { createSerial } from "../codec/create-serial.ts";
import { malformedRecord, parseRunRecord, parseRunRequest } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { assertReaches, readWatermark, WatermarkWriter } from "../watermark/run-watermark.ts";
import { type CheckpointLog, createCheckpointLog, readCheckpoint, type StoredCheckpoint } from "./checkpoint-log.ts";
import { createEventLog } from "./event-log.ts";
import type { HeldLease } from "./lease-registry.ts";
import type { Database } from "./open-database.ts";
import { findRun, folderOf, type SqliteContext, sourceOf, watermarkOf } from "./sqlite-context.ts";
import { toWriteFailure } from "./sqlite-failure.ts";
import type { Writes } from "./statements.ts";
import { storedEvents } from "./stored-events.ts";

const FOLDER_MODE = 0o700;

/** State of a run when its writer starts. */
interface WriterState {
  readonly record: RunRecord;
  readonly request: RunRequest;
  readonly lastSeq: number;
}

/** Creates the folder for files of the run. Rejects with `run.store_failed`. */
export async function makeFolder(context: SqliteContext, runId: string): Promise<void> {
  const folder = folderOf(context, runId);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE }).catch((error: unknown) => {
    throw toWriteFailure(error, folder);
  });
}

/** Returns the bytes of a document of a run, with checksum. */
export function sealed(document: object): Uint8Array {
  return Buffer.from(sealDocument(document));
}

/** Opens the writer of a run that was just taken over. Rejects with `run.malformed_record`. */
export async function resumeRunWriter(context: SqliteContext, lease: HeldLease): Promise<RunWriter> {
  const { database } = context;
  const source = sourceOf(context, lease.runId);
  const record = await parseRunRecord((await findRun(context, lease.runId)).record, source);
  const [body] = (await database.read((get) => get("document").get([lease.key, "request"]))) ?? [];
  if (!(body instanceof Uint8Array)) throw malformedRecord(source.path, "its request is missing");
  const request = await parseRunRequest(body, source);
  const [lastSeq] = (await database.read((get) => get("lastSeq").get([lease.key]))) ?? [];
  await makeFolder(context, lease.runId);
  return openRunWriter(context, lease, { record, request, lastSeq: typeof lastSeq === "number" ? lastSeq : 0 });
}

/**
 * Resolves with the newest checkpoint of a run, and compares it with the watermark (recorded progress). Rejects like
 * `readCheckpoint`, and with `checkpoint.lost` if the checkpoint is too old. See durability promises D2, D3.
 */
export async function loadNewest(
  context: SqliteContext,
  { key, runId }: { key: number; runId: string },
): Promise<StoredCheckpoint | undefined> {
  const source = sourceOf(context, runId);
  // The watermark (recorded progress) is read before the checkpoint. If it were read afterwards, an active writer could
  // have raised it in the meantime, and the checkpoint would seem to be too old.
  const before = readWatermark(watermarkOf(context, runId));
  const stored = await readCheckpoint(context.database, { ...source, key });
  assertReaches(before, stored?.number, source);
  return stored;
}

/** Record of a run in the database. Only the holder of the lease (the right to write) can change it. */
class StoredRecord {
  readonly #database: Database;
  readonly #lease: HeldLease;
  #current: RunRecord;

  constructor(database: Database, lease: HeldLease, current: RunRecord) {
    this.#database = database;
    this.#lease = lease;
    this.#current = current;
  }

  /** Record of the run, as it was stored last. */
  get current(): RunRecord {
    return this.#current;
  }

  /** Stores changes of the record and other writes in one transaction. */
  async change(changes: Partial<RunRecord>, also: (run: Writes) => void = () => undefined): Promise<void> {
    this.#lease.checkHeld();
    const { key, runId } = this.#lease;
    const next = { ...this.#current, ...changes, run_id: runId, format: this.#current.format };
    const body = sealed(next);
    await this.#database.write((run) => {
      this.#lease.check(run);
      also(run);
      run("setRecord").run([key, body]);
    }, "power");
    this.#current = next;
  }

  /** Stores the report and the last changes of the record, and releases the lease, in one transaction. */
  async finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    const body = sealed(report);
    await this.change(changes, (run) => {
      run("putDocument").run([this.#lease.key, "report", body]);
      this.#lease.releaseWith(run);
    });
  }
}

/** Opens the checkpoint log of a run. Its watermark records each stored checkpoint. */
function openCheckpoints(context: SqliteContext, lease: HeldLease, watermark: WatermarkWriter): CheckpointLog {
  return createCheckpointLog(context.database, {
    ...sourceOf(context, lease.runId),
    epoch: lease.epoch,
    onSaved: (number) => watermark.raise(number),
    claim: (run) => {
      lease.check(run);
      return lease.key;
    },
  });
}

/** Opens the writer of a run whose lease this process holds. */
export function openRunWriter(context: SqliteContext, lease: HeldLease, found: WriterState): RunWriter {
  const { database } = context;
  const { key, runId } = lease;
  const source = sourceOf(context, runId);
  const watermark = new WatermarkWriter(watermarkOf(context, runId), lease.epoch);
  const checkpoints = openCheckpoints(context, lease, watermark);
  const events = createEventLog(database, { lease, path: source.path, lastSeq: found.lastSeq });
  const inRecord = createSerial();
  // The record is copied, because the caller may change the original.
  const { request, ...first } = structuredClone(found);
  const record = new StoredRecord(database, lease, first.record);

  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    await record.finish(report, changes);
    lease.forget();
    watermark.close();
    await checkpoints.removeSuperseded();
  }

  /** Runs a task after all pending calls of this writer. */
  async function last(task: () => Promise<void>): Promise<void> {
    await Promise.all([events.settle(), checkpoints.settle()]);
    await inRecord(task);
  }
  return {
    runId,
    epoch: lease.epoch,
    folder: folderOf(context, runId),
    checkpointsAt: source.path,
    get record() {
      return { ...record.current };
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
    events: (afterSeq = 0) => storedEvents(database, { ...source, key, afterSeq }),
    // No check of the lease is needed here: the checkpoint log checks it in its own transaction.
    save: checkpoints.save,
    load: async () => {
      // The lease is checked in a transaction: a writer that lost it must not load another writer's checkpoint.
      await database.write(lease.check, "process");
      watermark.assertLatest(source);
      const stored = await loadNewest(context, lease);
      if (stored !== undefined) checkpoints.continueFrom(stored);
      return stored?.checkpoint;
    },
    update: (changes) => inRecord(() => record.change(changes)),
    finish: (report, changes) => last(() => finish(report, changes)),
    release: () => last(() => lease.release().finally(() => watermark.close())),
  };
}
