import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { EngineError } from "@switchyard/contracts";
import { systemCodeOf, toStoreFailure } from "../disk/store-failure.ts";
import type { StoreContext } from "../run/store-context.ts";
import { leasePath } from "./lease-name.ts";

/**
 * A writer without heartbeats counts as dead after a certain time. Within this time, a live writer sends this number of
 * heartbeats.
 */
const HEARTBEATS_PER_LEASE = 3;

/** The exclusive right of this process to write to a run, until another process takes it over. */
export interface HeldLease {
  readonly runId: string;
  readonly epoch: number;
  /** Absolute path of the run folder. */
  readonly folder: string;
  /**
   * Absolute path of the lease folder. Only the lease holder can rename files out of this folder, so files from it were
   * written by the holder.
   */
  readonly path: string;
  /** Signal that aborts when this process loses the lease. */
  readonly signal: AbortSignal;
  /** Checks on disk that the lease is held. Throws `store.stale_epoch` if it was lost or released. */
  check(): void;
  /** Throws `store.stale_epoch` if it is already known that the lease was lost or released. Does not read the disk. */
  checkKnown(): void;
  /** Returns the error for a failed write: `store.stale_epoch` if the lease was lost, otherwise `run.store_failed`. */
  failure(error: unknown, path: string): EngineError;
  /** Releases the lease. Also resolves if the lease was already lost. */
  release(): Promise<void>;
}

/** A lease that this process has just acquired. */
export interface AcquiredLease {
  readonly runId: string;
  readonly epoch: number;
  readonly folder: string;
}

/** Starts to send heartbeats for an acquired lease, until the lease is released. */
export function holdLease(context: StoreContext, { runId, epoch, folder }: AcquiredLease): HeldLease {
  const path = leasePath(folder, { epoch, token: context.owner.token, isTaking: false });
  const lost = new AbortController();
  const ended = new AbortController();

  function stale(): EngineError {
    const error = new EngineError("store.stale_epoch", { runId, epoch });
    if (!ended.signal.aborted) lost.abort(error);
    ended.abort();
    return error;
  }
  function isHeld(): boolean {
    return !ended.signal.aborted && existsSync(path);
  }
  function failure(error: unknown, failedPath: string): EngineError {
    if (EngineError.is(error)) return error;
    return systemCodeOf(error) === "ENOENT" && !isHeld() ? stale() : toStoreFailure(error, failedPath);
  }
  async function giveSignsOfLife(): Promise<void> {
    let last = 0;
    for (;;) {
      await context.timer.sleep(context.leaseMs / HEARTBEATS_PER_LEASE, { signal: ended.signal, isBackground: true });
      // The heartbeat's time must change even if the wall clock stops or is set back: other processes compare it.
      last = Math.max(last + 1, context.now());
      await utimes(path, last / 1000, last / 1000).catch((error: unknown) => {
        if (systemCodeOf(error) === "ENOENT" && !ended.signal.aborted) stale();
      });
    }
  }
  giveSignsOfLife().catch(() => undefined);
  return {
    runId,
    epoch,
    folder,
    path,
    signal: lost.signal,
    check: () => {
      if (!isHeld()) throw stale();
    },
    checkKnown: () => {
      if (ended.signal.aborted) throw stale();
    },
    failure,
    release: async () => {
      if (ended.signal.aborted) return;
      ended.abort();
      try {
        await context.files.rename(path, leasePath(folder, { epoch, isTaking: false }));
      } catch (error) {
        // Another process has taken over the lease.
        if (systemCodeOf(error) !== "ENOENT") throw toStoreFailure(error, path);
      }
    },
  };
}
