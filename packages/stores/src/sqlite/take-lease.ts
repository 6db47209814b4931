import { type AcquireOptions, EngineError } from "@switchyard/contracts";
import { describeOwner } from "@switchyard/process-owner";
import { findRun, type RunRow, type SqliteContext } from "./sqlite-context.ts";
import type { Writes } from "./statements.ts";

/** How often a lease is looked at while it is found out whether its holder is at work. */
const LOOKS = 20;

/** How a run is taken over, and by what right. */
export interface TakeOptions extends AcquireOptions {
  /** Waits for nobody whose process is known to live. */
  readonly isImpatient?: boolean | undefined;
}

/** A lease that was taken. */
export interface TakenLease {
  readonly key: number;
  readonly runId: string;
  readonly epoch: number;
}

/**
 * Whether the holder of a lease gives no sign of life, or is dead. Looks are counted, not time: after this machine
 * slept, the holder gets its time as well.
 */
async function isAbandoned(context: SqliteContext, row: RunRow, options: TakeOptions): Promise<boolean> {
  for (let look = 0; ; look += 1) {
    const liveness = context.owner.livenessOf(row.owner ?? "");
    if (liveness === "dead" || look === LOOKS) return true;
    if (options.isImpatient === true && liveness === "alive") return false;
    await context.timer.sleep(context.leaseMs / LOOKS, { signal: options.signal });
    const now = await findRun(context, row.runId);
    // Somebody was faster: the next try sees how things are.
    if (now.epoch !== row.epoch || now.owner !== row.owner) return true;
    if (now.beat !== row.beat) return false;
  }
}

/** Whether a lease is as it was seen; asked inside the transaction that takes it. */
function isUnchanged(run: Writes, row: RunRow): boolean {
  const [epoch, owner] = run("leaseOf").get([row.key]) ?? [];
  return epoch === row.epoch && (owner ?? undefined) === row.owner;
}

/** Whether the holder of a lease woke up since it was looked at. */
function hasWoken(run: Writes, { owner, beat }: RunRow): boolean {
  return owner !== undefined && (run("beatOf").get([owner])?.[0] ?? undefined) !== beat;
}

/**
 * Takes the lease of a run: of all who try, the one whose transaction comes first has it. Rejects with `run.leased`,
 * `run.not_found` or `run.invalid_id`. D6.
 */
export async function takeLease(context: SqliteContext, runId: string, options: TakeOptions = {}): Promise<TakenLease> {
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
      if (!isFree && owner.livenessOf(row.owner ?? "") !== "dead" && hasWoken(run, row)) return false;
      run("takeLease").run([row.key, epoch, owner.token, now()]);
      run("beat").run([owner.token, now()]);
      return true;
    }, "power");
    if (isTaken) return { key: row.key, runId, epoch };
  }
}
