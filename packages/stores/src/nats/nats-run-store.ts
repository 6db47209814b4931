import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type AcquireOptions,
  EngineError,
  type RunRecord,
  type RunRequest,
  type RunStore,
  type RunWriter,
  type StoredRun,
} from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import { sealRunRequest } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { SYSTEM_TIMER } from "../owner/store-timer.ts";
import { assertDurable } from "./broker/assert-durable.ts";
import { type OpeningOptions, openBroker } from "./broker/broker.ts";
import { FencedSubject, WriteConflict } from "./broker/fenced-subject.ts";
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import { createNatsDocuments } from "./nats-documents.ts";
import type { NatsStoreOptions } from "./nats-store-options.ts";
import { loadNewest } from "./run/checkpoint-log.ts";
import { storedEvents } from "./run/event-log.ts";
import { LeaseRegistry, openHeartbeats } from "./run/lease-registry.ts";
import { openRunWriter } from "./run/open-run-writer.ts";
import { clearRun, collectGarbage, deleteRun } from "./run/remove-runs.ts";
import { inlineDocument, NO_DOCUMENT, storeDocument } from "./run/run-document.ts";
import { locationOf, type NatsContext, type RunLocation, runStreamOf, watermarkOf } from "./run/run-location.ts";
import {
  documentsOf,
  findMeta,
  leaseEntry,
  type RunDocuments,
  readMeta,
  recordEntry,
  recordOf,
} from "./run/run-meta.ts";
import { listRuns, runSizes, type ShownRun, showRun } from "./run/stored-runs.ts";
import { takeLease } from "./run/take-lease.ts";

const LEASE_MS = 10_000;

/** Connects to the broker, and creates the settings and helpers that all parts of the store use. */
export async function openStoreContext(
  options: NatsStoreOptions & Pick<OpeningOptions, "onError">,
): Promise<NatsContext> {
  const { name = "switchyard", replicas: num_replicas = 1, durability = "process" } = options;
  assertStreamName(name);
  const broker = await openBroker(options, options.timer ?? SYSTEM_TIMER);
  try {
    await assertDurable(broker, durability);
    const shape = { max_msgs: -1, max_age: 0, max_msgs_per_subject: -1, num_replicas, storage: "file" } as const;
    await openStream(broker, { ...shape, name: runStreamOf(name), subjects: [`${name}.run.>`] });
    await openHeartbeats({ broker, name });
  } catch (error) {
    await broker.close();
    throw error;
  }
  return {
    broker,
    name,
    filesDirectory: resolve(options.filesDirectory),
    owner: options.owner ?? createProcessOwner(),
    leaseMs: options.leaseMs ?? LEASE_MS,
  };
}

/** Creates the store on an open connection. Closing the store closes the connection. */
export function createNatsStore(
  context: NatsContext,
  { durability, replicas }: Pick<NatsStoreOptions, "durability" | "replicas">,
): RunStore {
  const { broker } = context;
  const leases = new LeaseRegistry(context);
  /**
   * Maps each result of `show` to the data that was read for it. `acquire` uses this data instead of reading the run
   * again.
   */
  const shown = new WeakMap<StoredRun, ShownRun>();
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    // Closing releases the leases, so that other processes can take over the runs. If a release fails, the lease gets
    // no more heartbeats and expires.
    await leases.releaseAll().finally(() => broker.close());
  }
  return {
    durability: durability === undefined || durability === "process" ? "process" : "power",
    documents: createNatsDocuments(context, { replicas }),
    create: (record, request) => createRun(context, leases, { record, request }),
    add: async (record, request) => void (await storeRun(context, { record, request }, undefined)),
    acquire: (runId, { seen, ...acquireOptions } = {}) =>
      acquireRun(context, leases, { runId, shown: seen && shown.get(seen), ...acquireOptions }),
    list: () => listRuns(context),
    sizes: () => runSizes(context),
    show: async (runId) => {
      const found = await showRun(context, runId);
      shown.set(found.run, found);
      return found.run;
    },
    events: async function* (runId, afterSeq = 0) {
      const location = locationOf(context, runId);
      await findMeta(context, location);
      yield* storedEvents(broker, location, afterSeq);
    },
    load: async (runId) => {
      const location = locationOf(context, runId);
      const record = await recordOf(context, location, await findMeta(context, location));
      return (await loadNewest(broker, location, watermarkOf(location, record)))?.checkpoint;
    },
    delete: (runId) => deleteRun(context, leases, { runId }),
    collectGarbage: (garbage) => collectGarbage(context, leases, garbage),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** A new run, and the message that stores it. */
interface NewRun extends RunDocuments {
  readonly location: RunLocation;
  readonly epoch: number;
  /** Sequence number of the message. */
  readonly sequence: number;
  /** True if no run with this id ever existed. */
  readonly isFirst: boolean;
}

/** Stores a new run. `owner` is the token of the process that writes to it, if any. Rejects with `run.conflict`. */
async function storeRun(
  context: NatsContext,
  documents: { record: RunRecord; request: RunRequest },
  owner: string | undefined,
): Promise<NewRun> {
  const { record, request } = structuredClone(documents);
  const { broker } = context;
  const runId = record.run_id;
  const location = locationOf(context, runId);
  const text = sealRunRequest(runId, request);
  // Parts of a large request must not be stored for a run that exists. Otherwise the broker detects the conflict.
  let before = inlineDocument(text) === undefined ? await readMeta(context, location) : undefined;
  for (;;) {
    if (before !== undefined && !before.isDeleted) throw new EngineError("run.conflict", { runId });
    // Removes remaining data of a deleted run with the same id, because the deletion may have been interrupted.
    if (before !== undefined) await clearRun(context, location);
    const [epoch, isFirst] = [(before?.epoch ?? 0) + 1, before === undefined];
    const stored = { request: await storeDocument(broker, location, text), report: NO_DOCUMENT };
    // Without a writer, nothing can be stored for the run before its lease is acquired.
    const state = { epoch, owner, isNew: isFirst && owner === undefined, ...stored };
    const entry = await recordEntry(context, location, { record: sealDocument(record), ...state });
    const { stream, meta: subject, path } = location;
    const last = before?.message.sequence ?? 0;
    const first = new FencedSubject(broker, { stream, subject, path, writerId: randomUUID(), last });
    try {
      return { ...{ record, request, stored, location, epoch, isFirst }, sequence: await first.append(entry) };
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      const found = await readMeta(context, location);
      // Another process has stored the run at the same time, or has removed the message of the deleted run.
      if (found?.isDeleted === false) throw new EngineError("run.conflict", { runId }, { cause: error });
      before = found;
    }
  }
}

async function createRun(
  context: NatsContext,
  leases: LeaseRegistry,
  documents: { record: RunRecord; request: RunRequest },
): Promise<RunWriter> {
  await leases.ensureHeartbeat();
  const {
    location,
    epoch,
    sequence: last,
    isFirst: isNew,
    ...run
  } = await storeRun(context, documents, context.owner.token);
  return await openRunWriter(context, leases.hold({ location, epoch, last, isNew }), run);
}

/** Options for `acquireRun`. */
interface Acquisition extends AcquireOptions {
  readonly runId: string;
  /** The run as `show` has read it. Default: the run is read. */
  readonly shown?: ShownRun | undefined;
}

async function acquireRun(
  context: NatsContext,
  leases: LeaseRegistry,
  { runId, shown, ...options }: Acquisition,
): Promise<RunWriter> {
  options.signal?.throwIfAborted();
  const location = locationOf(context, runId);
  const { lease: taken, meta } = await takeLease(context, location, { leases, known: shown?.meta, ...options });
  const lease = leases.hold(taken);
  try {
    const isSeen = shown !== undefined && shown.meta === meta;
    const documents = (isSeen ? documentsIn(shown) : undefined) ?? (await documentsOf(context, location, meta));
    return await openRunWriter(context, lease, documents);
  } catch (error) {
    await lease.meta.append(leaseEntry(meta, { epoch: lease.epoch })).catch(() => undefined);
    lease.forget();
    throw error;
  }
}

/** Returns the documents of a run that `show` has read. `undefined` if they could not be read. */
function documentsIn({ run: { record, request }, stored }: ShownRun): RunDocuments | undefined {
  return record === undefined || request === undefined ? undefined : { record, request, stored };
}
