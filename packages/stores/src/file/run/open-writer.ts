import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AcquireOptions, RunRecord, RunRequest, RunWriter } from "@switchyard/contracts";
import { removeWatermark, WatermarkWriter } from "../../watermark/run-watermark.ts";
import { type HeldLease, holdLease } from "../lease/held-lease.ts";
import { leasePath } from "../lease/lease-name.ts";
import { finishTakeover, type Takeover, takeLease } from "../lease/take-lease.ts";
import { listSegments } from "../log/checkpoint-files.ts";
import { CheckpointLog, type StoredSegments } from "../log/checkpoint-log.ts";
import { createEventLog, readLastSeq } from "../log/event-log.ts";
import { prepareLog } from "../log/prepare-log.ts";
import { createRunFolder } from "./create-run.ts";
import { readRecord, readRequest } from "./read-documents.ts";
import { RUN_FILES, segmentPath } from "./run-layout.ts";
import { createRunWriter } from "./run-writer.ts";
import { runFolder, type StoreContext, watermarkOf } from "./store-context.ts";

/** Function that is called when a writer has released its run. */
export type OnReleased = (writer: RunWriter) => void;

/** Creates a run and its first writer. Rejects like `RunStore.create`. */
export async function createWriter(
  context: StoreContext,
  { record, request }: { record: RunRecord; request: RunRequest },
  onReleased: OnReleased,
): Promise<RunWriter> {
  const lease = holdLease(context, await createRunFolder(context, record, request));
  const events = createEventLog(context.files, lease, {
    path: join(lease.folder, RUN_FILES.events),
    size: 0,
    lastSeq: 0,
  });
  // A watermark (recorded progress) that already exists belongs to an earlier run with the same id.
  removeWatermark(watermarkOf(context, lease.runId));
  const watermark = new WatermarkWriter(watermarkOf(context, lease.runId), lease.epoch);
  const checkpoints = new CheckpointLog(context, lease, { segments: [], size: 0, watermark });
  // Record and request are copied, because the caller may change them.
  const stored = structuredClone({ record, request });
  return createRunWriter(context, { lease, events, checkpoints, watermark, ...stored }, onReleased);
}

/** State of the logs when a writer starts. */
interface PreparedLogs {
  readonly events: { readonly path: string; readonly size: number; readonly lastSeq: number };
  readonly checkpoints: StoredSegments;
}

/**
 * Prepares the logs for a new writer. If the previous writer may still be active, the logs are copied, so that it
 * cannot change them. Incomplete data of the previous writer is removed.
 */
async function prepareLogs(
  { files, owner }: StoreContext,
  { runId, folder, epoch, isAlone }: Takeover,
): Promise<PreparedLogs> {
  const copyIn = isAlone ? undefined : leasePath(folder, { epoch, token: owner.token, isTaking: true });
  const path = join(folder, RUN_FILES.events);
  const size = await prepareLog(path, { files, copyIn, retainsDamage: false });
  // Unreadable checkpoint logs are left unchanged. The error is reported when checkpoints are loaded.
  const segments = (await listSegments(folder).catch(() => undefined)) ?? [];
  const newest = segmentPath(folder, segments.at(-1) ?? 1);
  const hasLog = segments.length > 0 && existsSync(newest);
  const checkpointSize = hasLog ? await prepareLog(newest, { files, copyIn, retainsDamage: true }) : 0;
  const lastSeq = await readLastSeq({ path, runId });
  return { events: { path, size, lastSeq }, checkpoints: { segments, size: checkpointSize } };
}

/** Completes the takeover of a run: prepares its logs, gives the lease folder its final name and starts heartbeats. */
async function holdTaken(context: StoreContext, taken: Takeover): Promise<{ lease: HeldLease; logs: PreparedLogs }> {
  if (taken.isAlone) {
    const lease = holdLease(context, taken);
    const logs = await prepareLogs(context, taken).catch(async (error: unknown) => {
      await lease.release();
      throw lease.failure(error, taken.folder);
    });
    return { lease, logs };
  }
  const logs = await prepareLogs(context, taken);
  await finishTakeover(context, taken);
  return { lease: holdLease(context, taken), logs };
}

/** Acquires a run and resolves with its writer. Rejects like `RunStore.acquire`. See durability promise D6. */
export async function acquireWriter(
  context: StoreContext,
  { runId, ...options }: AcquireOptions & { runId: string },
  onReleased: OnReleased,
): Promise<RunWriter> {
  const folder = await runFolder(context, runId);
  const { lease, logs } = await holdTaken(context, await takeLease(context, { runId, folder }, options));
  try {
    const [record, request] = await Promise.all([readRecord(lease), readRequest(lease)]);
    lease.check();
    const events = createEventLog(context.files, lease, logs.events);
    const watermark = new WatermarkWriter(watermarkOf(context, runId), lease.epoch);
    const checkpoints = new CheckpointLog(context, lease, { ...logs.checkpoints, watermark });
    return createRunWriter(context, { lease, events, checkpoints, watermark, record, request }, onReleased);
  } catch (error) {
    await lease.release();
    throw error;
  }
}
