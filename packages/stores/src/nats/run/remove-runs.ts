import { EngineError, type GarbageOptions, RESUMABLE_RUN_STATUSES } from "@switchyard/contracts";
import { deleteMessages } from "../broker/delete-messages.ts";
import { lastMessage } from "../broker/stored-message.ts";
import type { LeaseRegistry } from "./lease-registry.ts";
import { removeFolder } from "./open-run-writer.ts";
import { locationOf, type NatsContext, type RunLocation, runIdOf, runStreamOf, uploadsOf } from "./run-location.ts";
import { deletedEntry, type RunMeta, recordOf } from "./run-meta.ts";
import { allMeta } from "./stored-runs.ts";
import { takeLease } from "./take-lease.ts";

/** A run to remove. */
interface Removal {
  readonly runId: string;
  /** Epoch (number of the newest writer) that the run must have to be removed. Default: any. */
  readonly epoch?: number | undefined;
}

/**
 * Removes all data of a deleted run, except one message with the run's id and epoch (the number of its newest writer).
 * A later run with this id therefore gets a higher epoch.
 */
export async function clearRun({ broker }: NatsContext, { stream, rest }: RunLocation): Promise<void> {
  await deleteMessages(broker, { stream, subject: rest });
}

/**
 * Removes a run with its files. A message with the run's id and epoch (the number of its newest writer) stays stored,
 * so that an earlier writer cannot write again. Rejects with `run.leased`, `run.not_found`, `run.invalid_id` or
 * `run.store_failed`.
 */
export async function deleteRun(context: NatsContext, leases: LeaseRegistry, { runId, epoch }: Removal): Promise<void> {
  const location = locationOf(context, runId);
  const { lease: taken } = await takeLease(context, location, { leases, failFast: true, ifEpoch: epoch });
  const lease = leases.hold(taken);
  try {
    // Files are removed before the record: later, they could belong to a new run with the same id.
    await removeFolder(location.folder);
    await lease.guard(() => lease.meta.append(deletedEntry(lease.epoch)));
    const { last } = lease.meta;
    await deleteMessages(context.broker, { stream: location.stream, subject: location.meta }, last);
    // Later files belong to a new run with the same id.
    await deleteMessages(context.broker, { stream: location.stream, subject: uploadsOf(context, runId) }, last);
  } finally {
    lease.forget();
  }
  await clearRun(context, location);
}

/**
 * Removes old runs that have no writer, and old data that belongs to no run. Resolves with the ids of the runs. Damaged
 * runs remain. Rejects with `run.store_failed`.
 */
export async function collectGarbage(
  context: NatsContext,
  leases: LeaseRegistry,
  options: GarbageOptions,
): Promise<string[]> {
  const removed: string[] = [];
  const { orphansBefore = options.before } = options;
  const stored = await allMeta(context);
  for (const [runId, meta] of stored) {
    if (meta.isDeleted) await forgetName(context, runId, { meta, before: orphansBefore });
    else if (await isOld(context, runId, { meta, options })) {
      const isRemoved = await deleteRun(context, leases, { runId, epoch: meta.epoch }).then(
        () => true,
        (error: unknown) => {
          // The run has a writer, or another process has removed it.
          if (EngineError.is(error, "run.leased") || EngineError.is(error, "run.not_found")) return false;
          throw error;
        },
      );
      if (isRemoved) removed.push(runId);
    }
  }
  await removeOrphans(context, orphansBefore, (runId) => stored.get(runId)?.isDeleted === false);
  return removed;
}

/**
 * Removes files that were stored for runs which do not exist. The process that stored them crashed before it stored the
 * run, or could not store it.
 */
async function removeOrphans(context: NatsContext, before: number, hasRun: (runId: string) => boolean): Promise<void> {
  const { broker, name } = context;
  const stream = runStreamOf(name);
  const found = await broker.ask(() => broker.jsm.streams.info(stream, { subjects_filter: uploadsOf(context, "*") }));
  for (const runId of new Set(Object.keys(found.state.subjects ?? {}).map(runIdOf))) {
    if (hasRun(runId)) continue;
    const files = { stream, subject: uploadsOf(context, runId) };
    const newest = await lastMessage(broker, files);
    // A run whose files are newer may be accepted at this moment.
    if (newest !== undefined && newest.storedAt < before) await deleteMessages(broker, files, newest.sequence + 1);
  }
}

/**
 * Removes the remaining message of a run that was deleted long ago, and data left behind by an interrupted deletion.
 */
async function forgetName(
  context: NatsContext,
  runId: string,
  { meta, before }: { meta: RunMeta; before: number },
): Promise<void> {
  if (meta.message.storedAt >= before) return;
  const location = locationOf(context, runId);
  await clearRun(context, location);
  const versions = { stream: location.stream, subject: location.meta };
  await deleteMessages(context.broker, versions, meta.message.sequence + 1);
}

async function isOld(
  context: NatsContext,
  runId: string,
  { meta, options }: { meta: RunMeta; options: GarbageOptions },
): Promise<boolean> {
  const record = await recordOf(context, locationOf(context, runId), meta).catch(() => undefined);
  if (record === undefined) return false;
  if (RESUMABLE_RUN_STATUSES.includes(record.status) && options.includeResumable !== true) return false;
  const endedAt = record.finished_at === undefined ? meta.message.storedAt : Date.parse(record.finished_at);
  return endedAt < options.before;
}
