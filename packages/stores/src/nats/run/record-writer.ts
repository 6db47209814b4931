import type { RunRecord, RunRequest, SessionReport } from "@switchyard/contracts";
import { createSerial } from "../../codec/create-serial.ts";
import { sealDocument } from "../../codec/sealed-text.ts";
import { deleteMessages } from "../broker/delete-messages.ts";
import { WriteConflict } from "../broker/fenced-subject.ts";
import type { HeldLease } from "./lease-registry.ts";
import { type RunDocument, storeDocument } from "./run-document.ts";
import type { NatsContext } from "./run-location.ts";
import { type RunDocuments, recordEntry } from "./run-meta.ts";

/**
 * Number of record changes by one writer above which `finish` removes the earlier versions of the record. Fewer versions
 * stay until the run is removed, because each version is small and the removal costs messages.
 */
const MAX_VERSIONS = 16;

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

/** Changes that are stored together with a record. */
interface WrittenState {
  /** Token that identifies the process which writes to the run. Default: none, because no process writes to it. */
  readonly owner?: string | undefined;
  /** Report of the run. Default: the stored one. */
  readonly report?: RunDocument;
}

/** Creates the writer of a run's record. This process must hold the run's lease. */
export function createRecordWriter(context: NatsContext, lease: HeldLease, found: RunDocuments): RecordWriter {
  const { broker, owner } = context;
  const { location, epoch } = lease;
  const inTurn = createSerial();
  // Record and request are copied, because the caller may change the originals.
  const { request, ...first } = structuredClone({ record: found.record, request: found.request });
  let { record } = first;
  let { stored } = found;
  let versions = 0;

  async function append(next: RunRecord, state: WrittenState): Promise<void> {
    await lease.meta.append(
      await recordEntry(context, location, { record: sealDocument(next), ...stored, ...state, epoch }),
    );
    versions += 1;
  }

  /** Stores changes of the record. If the stored record names no owner, this also releases the lease. */
  async function change(changes: Partial<RunRecord>, state: WrittenState): Promise<void> {
    const next = { ...record, ...changes, run_id: location.runId, format: record.format };
    await lease.guard(() => append(next, state));
    record = next;
    stored = { ...stored, report: state.report ?? stored.report };
  }

  async function finish(report: SessionReport, changes: Partial<RunRecord>): Promise<void> {
    lease.checkHeld();
    // The report is stored before the record that refers to it. Without this record, the report is ignored.
    await change(changes, { report: await storeDocument(broker, location, sealDocument(report)) });
    lease.forget();
    // Earlier versions of the record that are not removed now are removed with the run.
    if (versions <= MAX_VERSIONS) return;
    const records = { stream: location.stream, subject: location.meta };
    await deleteMessages(broker, records, lease.meta.last).catch(() => undefined);
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
