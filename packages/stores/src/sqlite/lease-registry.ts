import { EngineError } from "@switchyard/contracts";
import { LeaseBeat } from "../owner/lease-beat.ts";
import type { SqliteContext } from "./sqlite-context.ts";
import type { Writes } from "./statements.ts";
import type { AcquiredLease } from "./take-lease.ts";

/** The exclusive right of this process to write to a run, until another process takes it over. */
export interface HeldLease extends AcquiredLease {
  /** Signal that aborts when this process loses the lease. */
  readonly signal: AbortSignal;
  /** Throws `store.stale_epoch` if the lease was released, or if it is already known that it was lost. */
  checkHeld(): void;
  /**
   * Throws `store.stale_epoch` if the lease is lost. Called at the beginning of each transaction that writes to the
   * run.
   */
  check(run: Writes): void;
  /**
   * Releases the lease inside a transaction. Contract: the caller calls `forget` after the transaction is committed.
   */
  releaseWith(run: Writes): void;
  /** Stops the heartbeats of this lease. Called after the lease was released, or the run deleted. */
  forget(): void;
  /** Releases the lease. Does nothing if this process no longer holds it. Rejects with `run.store_failed`. */
  release(): Promise<void>;
}

interface Held {
  readonly lease: HeldLease;
  lose(): void;
}

function isCurrent(run: Writes, { key, epoch }: AcquiredLease): boolean {
  const [found, owner] = run("leaseOf").get([key]) ?? [];
  return found === epoch && typeof owner === "string";
}

/** Manages the leases of a store: sends heartbeats and detects lost leases. */
export class LeaseRegistry {
  readonly #context: SqliteContext;
  readonly #held = new Set<Held>();
  readonly #beat: LeaseBeat;

  constructor(context: SqliteContext) {
    this.#context = context;
    const { timer, leaseMs } = context;
    // A failed heartbeat is ignored, because a full disk may have space again at the next one.
    const beat = (): Promise<void> => this.#sendHeartbeat().catch(() => undefined);
    this.#beat = new LeaseBeat({ timer, leaseMs, beat });
  }

  /** Starts to send heartbeats for a lease that was just acquired. */
  hold(taken: AcquiredLease): HeldLease {
    const lost = new AbortController();
    const stale = (): EngineError => new EngineError("store.stale_epoch", { runId: taken.runId, epoch: taken.epoch });
    const forget = (): void => this.#forget(held);
    const lose = (): void => {
      if (this.#held.has(held)) lost.abort(stale());
      forget();
    };
    const releaseWith = (run: Writes): void => void run("releaseLease").run([taken.key, this.#context.now()]);
    const checkHeld = (): void => {
      if (!this.#held.has(held)) throw stale();
    };
    const check = (run: Writes): void => {
      checkHeld();
      if (isCurrent(run, taken)) return;
      lose();
      throw stale();
    };
    const release = async (): Promise<void> => {
      if (!this.#held.has(held)) return;
      await this.#context.database.write((run) => {
        if (isCurrent(run, taken)) releaseWith(run);
      }, "power");
      forget();
    };
    const lease = { ...taken, signal: lost.signal, checkHeld, check, releaseWith, forget, release };
    const held: Held = { lease, lose };
    this.#held.add(held);
    this.#beat.start();
    return lease;
  }

  /** Releases all leases and removes this process's row in the table of owners. Rejects with `run.store_failed`. */
  async releaseAll(): Promise<void> {
    await Promise.all(Array.from(this.#held, ({ lease }) => lease.release()));
    const { database, owner } = this.#context;
    // A failure is ignored, because it is harmless if this process's row in the table of owners remains.
    await database.write((run) => run("forgetOwner").run([owner.token]), "process").catch(() => undefined);
  }

  #forget(held: Held): void {
    this.#held.delete(held);
    if (this.#held.size === 0) this.#beat.stop();
  }

  async #sendHeartbeat(): Promise<void> {
    const { database, owner, now } = this.#context;
    const watched = [...this.#held];
    await database.write((run) => run("beat").run([owner.token, now()]), "process");
    const rows = await database.read((get) => get("leasesOf").all([owner.token]));
    const ownEpochs = new Map(rows.map(([key, epoch]) => [key, epoch]));
    for (const { lease, lose } of watched) {
      if (ownEpochs.get(lease.key) !== lease.epoch) lose();
    }
  }
}
