import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type AcquireOptions,
  EngineError,
  type RunRecord,
  type RunRequest,
  type RunStore,
  type RunWriter,
} from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import { sealRunRequest } from "../codec/run-documents.ts";
import { sealDocument } from "../codec/sealed-text.ts";
import { SYSTEM_TIMER } from "../owner/store-timer.ts";
import { assertDurable } from "./broker/assert-durable.ts";
import { openBroker } from "./broker/broker.ts";
import { FencedSubject, WriteConflict } from "./broker/fenced-subject.ts";
import { assertStreamName, openStream } from "./broker/open-stream.ts";
import type { NatsStoreOptions } from "./nats-store-options.ts";
import { loadNewest } from "./run/checkpoint-log.ts";
import { storedEvents } from "./run/event-log.ts";
import { LeaseRegistry, openHeartbeats, sendHeartbeat } from "./run/lease-registry.ts";
import { openRunWriter } from "./run/open-run-writer.ts";
import { clearRun, collectGarbage, deleteRun } from "./run/remove-runs.ts";
import { locationOf, type NatsContext, runStreamOf, watermarkOf } from "./run/run-location.ts";
import { findMeta, metaEntry, readMeta, recordOf, requestOf, storeDocument } from "./run/run-meta.ts";
import { listRuns, showRun } from "./run/stored-runs.ts";
import { takeLease } from "./run/take-lease.ts";

const LEASE_MS = 10_000;

/** Connects to the broker, and creates the settings and helpers that all parts of the store use. */
export async function openStoreContext(options: NatsStoreOptions): Promise<NatsContext> {
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
export function createNatsStore(context: NatsContext, { durability }: Pick<NatsStoreOptions, "durability">): RunStore {
  const { broker } = context;
  const keeper = new LeaseRegistry(context);
  let closed: Promise<void> | undefined;

  async function close(): Promise<void> {
    // Once closed, other processes can take over the runs: the leases are released, or get no more heartbeats.
    await keeper.releaseAll().finally(() => broker.close());
  }
  return {
    durability: durability === undefined || durability === "process" ? "process" : "power",
    create: (record, request) => createRun(context, keeper, { record, request }),
    acquire: (runId, acquireOptions) => acquireRun(context, keeper, { runId, ...acquireOptions }),
    list: () => listRuns(context),
    show: (runId) => showRun(context, runId),
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
    delete: (runId) => deleteRun(context, keeper, { runId }),
    collectGarbage: (garbage) => collectGarbage(context, keeper, garbage),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

async function createRun(
  context: NatsContext,
  keeper: LeaseRegistry,
  documents: { record: RunRecord; request: RunRequest },
): Promise<RunWriter> {
  const { record, request } = structuredClone(documents);
  const { broker, owner } = context;
  const runId = record.run_id;
  const location = locationOf(context, runId);
  const before = await readMeta(context, location);
  if (before !== undefined && !before.isDeleted) throw new EngineError("run.conflict", { runId });
  // Removes remaining data of a deleted run with the same id, because the deletion may have been interrupted.
  if (before !== undefined) await clearRun(context, location);
  const epoch = (before?.epoch ?? 0) + 1;
  await broker.ask(() => sendHeartbeat(context));
  const stored = { request: await storeDocument(context, location, sealRunRequest(runId, request)), report: "" };
  const state = { epoch, owner: owner.token, ...stored };
  const entry = await metaEntry(context, location, { body: sealDocument(record), state });
  const { stream, meta: subject, path } = location;
  const last = before?.message.sequence ?? 0;
  const first = new FencedSubject(broker, { stream, subject, path, writerId: randomUUID(), last });
  const appended = await first.append(entry).catch((error: unknown) => {
    if (error instanceof WriteConflict) throw new EngineError("run.conflict", { runId });
    throw error;
  });
  return await openRunWriter(context, keeper.hold({ location, epoch, last: appended, isNew: before === undefined }), {
    record,
    request,
    stored: stored,
  });
}

async function acquireRun(
  context: NatsContext,
  keeper: LeaseRegistry,
  { runId, ...options }: AcquireOptions & { runId: string },
): Promise<RunWriter> {
  options.signal?.throwIfAborted();
  const location = locationOf(context, runId);
  const { lease: taken, meta } = await takeLease(context, location, options);
  const lease = keeper.hold(taken);
  try {
    const [record, request] = [await recordOf(context, location, meta), await requestOf(context, location, meta)];
    const stored = { request: meta.request, report: meta.report };
    return await openRunWriter(context, lease, { record, request, stored: stored });
  } catch (error) {
    const state = { epoch: lease.epoch, request: meta.request, report: meta.report };
    const entry = await metaEntry(context, location, { body: meta.message, state });
    await lease.meta.append(entry).catch(() => undefined);
    lease.forget();
    throw error;
  }
}
