import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { EngineError, type GarbageOptions, RESUMABLE_RUN_STATUSES } from "@switchyard/contracts";
import { removeWatermark } from "../../watermark/run-watermark.ts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import { leasePath } from "../lease/lease-name.ts";
import { type TakeOptions, type Takeover, takeLease } from "../lease/take-lease.ts";
import { lastWrittenMs, listRunIds, RUNS_AT_A_TIME } from "./list-runs.ts";
import { readRecord } from "./read-documents.ts";
import { NEW_PREFIX, REMOVED_PREFIX } from "./run-layout.ts";
import { runPath, type StoreContext, watermarkOf } from "./store-context.ts";

/** Function that decides whether to remove a run that has no writer. */
type IsUnwanted = () => Promise<boolean>;

/** Takes the lease of a run for its removal. Also succeeds if the run is damaged and has no lease. */
async function takeAnyLease(
  context: StoreContext,
  run: { runId: string; folder: string },
  options: TakeOptions,
): Promise<Takeover | undefined> {
  try {
    return await takeLease(context, run, options);
  } catch (error) {
    if (EngineError.is(error, "run.malformed_record")) return undefined;
    throw error;
  }
}

/**
 * Removes a run: renames its folder, atomically, then removes the files. Links are removed, never their targets.
 * Resolves with false if the given function decides against removal. Rejects with `run.not_found`, `run.invalid_id`,
 * `run.leased` or `run.store_failed`.
 */
export async function removeRun(
  context: StoreContext,
  runId: string,
  { isUnwanted, ...options }: TakeOptions & { isUnwanted?: IsUnwanted | undefined } = {},
): Promise<boolean> {
  const { files, runs, owner } = context;
  const folder = runPath(context, runId);
  const found = await lstat(folder).catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT" || systemCodeOf(error) === "ENOTDIR") return undefined;
    throw toStoreFailure(error, folder);
  });
  if (found === undefined) throw new EngineError("run.not_found", { runId, stateDirectory: context.directory });
  try {
    if (!found.isDirectory()) {
      await files.remove(folder);
      removeWatermark(watermarkOf(context, runId));
      return true;
    }
    const lease = await takeAnyLease(context, { runId, folder }, options);
    if (isUnwanted !== undefined && !(await isUnwanted())) {
      if (lease !== undefined) await giveBack(context, lease);
      return false;
    }
    const removed = join(runs, `${REMOVED_PREFIX}${runId}-${owner.token}-${found.ino}`);
    await files.rename(folder, removed);
    await files.syncFolder(runs);
    removeWatermark(watermarkOf(context, runId));
    await files.removeTree(removed);
    return true;
  } catch (error) {
    throw toStoreFailure(error, folder);
  }
}

/**
 * Releases the lease of a run that is not removed. The lease is not released if its previous holder may still be alive
 * and write to the logs. The next writer then also takes the lease over, and copies the logs to protect them.
 */
async function giveBack({ files, owner }: StoreContext, { folder, epoch, isAlone }: Takeover): Promise<void> {
  if (!isAlone) return;
  const held = leasePath(folder, { epoch, token: owner.token, isTaking: false });
  await files.rename(held, leasePath(folder, { epoch, isTaking: false }));
}

/** Resolves with true if a run is old and has ended, according to its files. */
async function isGarbage(context: StoreContext, runId: string, options: GarbageOptions): Promise<boolean> {
  const folder = runPath(context, runId);
  const record = await readRecord({ runId, folder }).catch(() => undefined);
  // If the run's record is unreadable, the run is not removed, because it may be repaired and resumed.
  const isResumable = record === undefined || RESUMABLE_RUN_STATUSES.includes(record.status);
  if (isResumable && options.includeResumable !== true) return false;
  const endedMs = isResumable ? Number.NaN : Date.parse(record.finished_at ?? "");
  return (Number.isNaN(endedMs) ? await lastWrittenMs(folder) : endedMs) < options.before;
}

/** Removes files left behind by processes that died while they created or removed a run. */
async function removeLeftovers({ runs, files, owner }: StoreContext, before: number): Promise<void> {
  for (const name of await readdir(runs).catch(() => [])) {
    const path = join(runs, name);
    if (name.startsWith(REMOVED_PREFIX)) await files.removeTree(path).catch(() => undefined);
    if (!name.startsWith(NEW_PREFIX)) continue;
    const liveness = owner.livenessOf(name.slice(NEW_PREFIX.length, name.lastIndexOf("-")));
    const isOld = liveness === "unknown" && (await lastWrittenMs(path)) < before;
    if (liveness === "dead" || isOld) await files.removeTree(path).catch(() => undefined);
  }
}

/** Removes old runs that have no writer; resolves with their ids. Rejects with `run.store_failed`. */
export async function collectGarbage(context: StoreContext, options: GarbageOptions): Promise<string[]> {
  await removeLeftovers(context, options.before);
  const removed: string[] = [];
  async function removeGarbage(runId: string): Promise<void> {
    if (!(await isGarbage(context, runId, options))) return;
    // The age is checked again after taking the lease, because the run may have been resumed in the meantime.
    const isUnwanted = (): Promise<boolean> => isGarbage(context, runId, options);
    try {
      if (await removeRun(context, runId, { failFast: true, isUnwanted })) removed.push(runId);
    } catch (error) {
      const isTaken = EngineError.is(error, "run.leased") || EngineError.is(error, "run.not_found");
      if (!isTaken) throw error;
    }
  }
  let failed: PromiseRejectedResult | undefined;
  const runIds = await listRunIds(context);
  for (let from = 0; from < runIds.length; from += RUNS_AT_A_TIME) {
    const some = await Promise.allSettled(runIds.slice(from, from + RUNS_AT_A_TIME).map(removeGarbage));
    failed ??= some.find((attempt) => attempt.status === "rejected");
  }
  if (failed !== undefined) throw failed.reason;
  return removed.sort();
}
