import { existsSync } from "node:fs";
import { findLease } from "../lease/lease-name.ts";
import type { StoreContext } from "../run/store-context.ts";

const WAIT_MS = 10;

/**
 * Returns true if the data read since `beginRead` was written by the current writer. False if some of it may come from
 * a writer that has lost its lease.
 */
export type IsSettled = () => boolean;

/**
 * Prepares reading the logs of a run. Waits while a new writer is copying the logs, because the previous writer may
 * still write to the old logs. Data read afterwards cannot be changed by that writer. See durability promise D8.
 */
export async function beginRead(context: StoreContext, folder: string): Promise<IsSettled> {
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    const lease = await findLease(folder).catch(() => undefined);
    if (lease === undefined) return () => true;
    const isTaking = lease.isTaking && context.owner.livenessOf(lease.token ?? "") !== "dead";
    if (!isTaking || waitedMs >= context.leaseMs) return () => existsSync(lease.path);
    await context.timer.sleep(WAIT_MS);
  }
}
