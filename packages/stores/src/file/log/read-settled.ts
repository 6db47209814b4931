import { existsSync } from "node:fs";
import { findLease } from "../lease/lease-name.ts";
import type { StoreContext } from "../run/store-context.ts";

const WAIT_MS = 10;

/** Says whether what was read since is what the run's writer wrote, and not one who has lost its lease. */
export type IsSettled = () => boolean;

/**
 * Begins to read the logs of a run. While a writer that was taken over may still write to the logs of which the new
 * one makes copies, waits until those are there: what is read afterwards stays in the run for good. D8.
 */
export async function beginToRead(context: StoreContext, folder: string): Promise<IsSettled> {
  for (let waitedMs = 0; ; waitedMs += WAIT_MS) {
    const lease = await findLease(folder).catch(() => undefined);
    if (lease === undefined) return () => true;
    const isTaking = lease.isTaking && context.owner.livenessOf(lease.token ?? "") !== "dead";
    if (!isTaking || waitedMs >= context.leaseMs) return () => existsSync(lease.path);
    await context.timer.sleep(WAIT_MS);
  }
}
