import type { RunRecord, RunRequest, SessionReport } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { sealDocument } from "../../codec/sealed-text.ts";
import { deleteMessages } from "../broker/delete-messages.ts";
import { WriteConflict } from "../broker/fenced-subject.ts";
import type { HeldLease } from "./lease-registry.ts";
import type { NatsContext } from "./run-location.ts";
import { type MetaState, metaEntry, storeDocument } from "./run-meta.ts";

/** State of a run when its writer starts. */
export interface WriterState {
  readonly record: RunRecord;
  readonly request: RunRequest;
  /** References to the run's request and report, which are stored as separate messages. */
  readonly stored: Pick<MetaState, "request" | "report">;
}

/** Writes the record and the report of one run. */
export interface RecordWriter {
  /** The request of the run. */
  readonly request: RunRequest;
  /** Returns a copy of the record as it is stored. */
  current(): RunRecord;
  /** Stores changes of the record. Rejects with `store.stale_epoch` or `run.store_failed`. */
  update(changes: Partial<RunRecord>): Promise<void>;
  /** Stores the report and changes of the record, and releases the lease. Rejects like `update`. */
  finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void>;
  /** Releases the lease. Does nothing if it was lost or released. */
  release(): Promise<void>;
}

/** Creates the writer of a run's record. This process must hold the run's lease. */
export function createRecordWriter(context: NatsContext, lease: HeldLease, found: WriterState): RecordWriter {
  const { broker, owner } = context;
  const { location, epoch } = lease;
  const inTurn = createSerial();
  // The record is copied, because the caller may change the original.
  const { request, ...first } = structuredClone(found);
  let { record, stored } = first;

  async function append(next: RunRecord, state: Partial<MetaState>): Promise<void> {
    const document = { body: sealDocument(next), state: { ...stored, ...state, epoch } };
    const entry = await metaEntry(context, location, document);
    await lease.meta.append(entry);
  }

  /** Stores changes of the record. If the stored record names no owner, this also releases the lease. */
  async function change(changes: Partial<RunRecord>, state: Partial<MetaState>): Promise<void> {
    const next = { ...record, ...changes, run_id: location.runId, format: record.format };
    await lease.guard(() => append(next, state));
    record = next;
    stored = { ...stored, report: state.report ?? stored.report };
  }

  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    lease.checkHeld();
    // The report is stored before the record that refers to it. Without this record, the report is ignored.
    await change(changes, { report: await storeDocument(context, location, sealDocument(report)) });
    lease.forget();
    // Earlier versions of the record. If this fails, they are deleted with the run.
    const versions = { stream: location.stream, subject: location.meta };
    await deleteMessages(broker, versions, lease.meta.last).catch(() => undefined);
  }

  async function release(): Promise<void> {
    try {
      lease.checkHeld();
    } catch {
      return;
    }
    await append(record, {}).catch((error: unknown) => {
      // Another process has taken over the lease, so there is nothing to release.
      if (!(error instanceof WriteConflict)) throw error;
    });
    lease.forget();
  }

  return {
    request,
    current: () => ({ ...record }),
    update: (changes) => inTurn(() => change(changes, { owner: owner.token })),
    finish: (report, changes) => inTurn(() => finish(report, changes)),
    release: () => inTurn(release),
  };
}
