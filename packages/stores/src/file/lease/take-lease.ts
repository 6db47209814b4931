import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type AcquireOptions, EngineError } from "@switchyard/contracts";
import { describeOwner } from "@switchyard/process-owner";
import { malformedRecord } from "../../codec/run-documents.ts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import type { StoreContext } from "../run/store-context.ts";
import type { AcquiredLease } from "./held-lease.ts";
import { type FoundLease, findLease, leasePath } from "./lease-name.ts";

/** Number of consecutive checks without a new heartbeat after which a lease counts as abandoned. */
const HEARTBEAT_CHECKS = 20;

/** An acquired lease, with information about the previous writer. */
export interface Takeover extends AcquiredLease {
  /**
   * True if the previous writer can never write again. False if the previous writer may still be alive; then the logs
   * must be copied, so that it cannot change them.
   */
  readonly isAlone: boolean;
}

/** Options for acquiring a lease. */
export interface TakeOptions extends AcquireOptions {
  /** True to fail immediately if the process that holds the lease is alive, instead of waiting for its heartbeat. */
  readonly failFast?: boolean | undefined;
}

async function markOf(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
}

/**
 * Resolves with true if the holder of a lease is dead or sends no heartbeats. The number of checks decides, not the
 * elapsed time, so that a holder is not declared dead because this machine was asleep.
 */
async function isAbandoned(context: StoreContext, lease: FoundLease, options: TakeOptions): Promise<boolean> {
  const token = lease.token ?? "";
  const mark = await markOf(lease.path);
  for (let look = 0; ; look += 1) {
    const liveness = context.owner.livenessOf(token);
    if (liveness === "dead" || look === HEARTBEAT_CHECKS) return true;
    if (options.failFast && liveness === "alive") return false;
    await context.timer.sleep(context.leaseMs / HEARTBEAT_CHECKS, { signal: options.signal });
    const now = await markOf(lease.path);
    if (now !== mark) return now === undefined;
  }
}

/** Rejects with `run.leased` if another process holds the lease and is alive. */
async function assertFree(
  context: StoreContext,
  lease: FoundLease,
  options: TakeOptions & { runId: string },
): Promise<void> {
  if (lease.token === undefined || options.takeOver === true) return;
  if (await isAbandoned(context, lease, options)) return;
  const owner = describeOwner(lease.token, context.owner);
  throw new EngineError("run.leased", { runId: options.runId, owner });
}

async function tryRename(context: StoreContext, from: string, to: string): Promise<boolean> {
  try {
    await context.files.rename(from, to);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return false;
    throw toStoreFailure(error, dirname(from));
  }
}

/**
 * Takes the lease of a run by renaming its lease folder. If several processes try, only one rename succeeds. Rejects
 * with `run.leased`, or with `run.malformed_record` if the run has no lease. See durability promise D6.
 */
export async function takeLease(
  context: StoreContext,
  run: { runId: string; folder: string },
  options: TakeOptions = {},
): Promise<Takeover> {
  for (;;) {
    const lease = await findLease(run.folder).catch((error: unknown) => {
      const isGone = systemCodeOf(error) === "ENOENT";
      if (isGone) throw new EngineError("run.not_found", { runId: run.runId, stateDirectory: context.directory });
      throw toStoreFailure(error, run.folder);
    });
    if (lease === undefined) throw malformedRecord(run.folder, "its lease folder is missing");
    await assertFree(context, lease, { ...options, runId: run.runId });
    const isAlone = !lease.isTaking && (lease.token === undefined || context.owner.livenessOf(lease.token) === "dead");
    const epoch = lease.epoch + 1;
    const path = leasePath(run.folder, { epoch, token: context.owner.token, isTaking: !isAlone });
    if (!(await tryRename(context, lease.path, path))) continue;
    await settle(context, run.folder, path);
    return { ...run, epoch, isAlone };
  }
}

/**
 * Removes unfinished files of the previous writer from the lease folder and flushes the folder, so that no epoch
 * (number of a writer) is used twice after a power failure. Rejects with `run.malformed_record` if the lease folder is
 * a symbolic link, because files outside the store would be removed.
 */
async function settle(context: StoreContext, folder: string, path: string): Promise<void> {
  const isFolder = await lstat(path).then(
    (found) => found.isDirectory(),
    () => true, // Taken by another writer meanwhile: what follows finds out.
  );
  if (!isFolder) throw malformedRecord(folder, "its lease is not a folder");
  try {
    for (const name of await readdir(path)) await context.files.removeTree(join(path, name));
    await context.files.syncFolder(folder);
  } catch (error) {
    throw toStoreFailure(error, folder);
  }
}

/**
 * Ends a takeover: records that the new owner has copied the logs of the run completely. From then on, readers read the
 * new logs. Rejects with `store.stale_epoch`.
 */
export async function finishTakeover(context: StoreContext, { runId, folder, epoch }: Takeover): Promise<void> {
  const name = { epoch, token: context.owner.token };
  const taken = await tryRename(
    context,
    leasePath(folder, { ...name, isTaking: true }),
    leasePath(folder, { ...name, isTaking: false }),
  );
  if (!taken) throw new EngineError("store.stale_epoch", { runId, epoch });
}
