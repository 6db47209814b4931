import { type AcquireOptions, EngineError } from "@switchyard/contracts";
import { describeOwner } from "@switchyard/process-owner";
import { findRun, type RunRow, type SqliteContext } from "./sqlite-context.ts";
import type { Writes } from "./statements.ts";

/** Number of consecutive checks without a new heartbeat after which a lease counts as abandoned. */
const HEARTBEAT_CHECKS = 20;

/** Options for acquiring a lease. */
export interface TakeOptions extends AcquireOptions {
  /** True to fail immediately if the process that holds the lease is alive, instead of waiting for its heartbeat. */
  readonly failFast?: boolean | undefined;
}

/** An acquired lease. */
export interface AcquiredLease {
  readonly key: number;
  readonly runId: string;
  readonly epoch: number;
}

/**
 * Resolves with true if the holder of a lease is dead or sends no heartbeats. The number of checks decides, not the
 * elapsed time, so that a holder is not declared dead because this machine was asleep.
 */
async function isAbandoned(context: SqliteContext, row: RunRow, options: TakeOptions): Promise<boolean> {
  for (let look = 0; ; look += 1) {
    const liveness = context.owner.livenessOf(row.owner ?? "");
    if (liveness === "dead" || look === HEARTBEAT_CHECKS) return true;
    if (options.failFast === true && liveness === "alive") return false;
    await context.timer.sleep(context.leaseMs / HEARTBEAT_CHECKS, { signal: options.signal });
    const now = await findRun(context, row.runId);
    // Another process has acquired the lease since it was read. The next attempt reads the lease again.
    if (now.epoch !== row.epoch || now.owner !== row.owner) return true;
    if (now.beat !== row.beat) return false;
  }
}

/** Returns true if a lease has not changed since it was read. Called inside the transaction that takes the lease. */
function isUnchanged(run: Writes, row: RunRow): boolean {
  const [epoch, owner] = run("leaseOf").get([row.key]) ?? [];
  return epoch === row.epoch && (owner ?? undefined) === row.owner;
}

/** Returns true if the holder of a lease has sent a heartbeat since the lease was checked. */
function hasNewHeartbeat(run: Writes, { owner, beat }: RunRow): boolean {
  return owner !== undefined && (run("beatOf").get([owner])?.[0] ?? undefined) !== beat;
}

/**
 * Takes the lease of a run in a transaction. If several processes try, the first transaction gets the lease. Rejects
 * with `run.leased`, `run.not_found` or `run.invalid_id`. See durability promise D6.
 */
export async function takeLease(
  context: SqliteContext,
  runId: string,
  options: TakeOptions = {},
): Promise<AcquiredLease> {
  const { database, owner, now } = context;
  for (;;) {
    const row = await findRun(context, runId);
    const isFree = row.owner === undefined || options.takeOver === true;
    if (!isFree && !(await isAbandoned(context, row, options))) {
      throw new EngineError("run.leased", { runId, owner: describeOwner(row.owner ?? "", owner) });
    }
    const epoch = row.epoch + 1;
    const isTaken = await database.write((run) => {
      if (!isUnchanged(run, row)) return false;
      if (!isFree && owner.livenessOf(row.owner ?? "") !== "dead" && hasNewHeartbeat(run, row)) return false;
      run("takeLease").run([row.key, epoch, owner.token, now()]);
      run("beat").run([owner.token, now()]);
      return true;
    }, "power");
    if (isTaken) return { key: row.key, runId, epoch };
  }
}
