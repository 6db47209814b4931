import type { RunScheduler } from "./run-scheduler.ts";

/** Result of asking the shared budgets (spending limits) whether a run may start. */
export type BudgetAnswer =
  /** The run may start. */
  | "place"
  /** The limit of concurrent runs of the owner is reached. */
  | "owner_full"
  /** The limit of concurrent runs of all owners together is reached. */
  | "server_full"
  /** The budgets could not be read. */
  | "unreadable"
  /** The run did not ask, or failed for another reason. */
  | "unknown";

/** How long no run asks again after these answers, in milliseconds. */
const PAUSE_MS = { owner_full: 500, server_full: 500, unreadable: 10_000 } as const;

/** Options of `BudgetPauses`. */
export interface BudgetPausesOptions {
  /** Scheduler that skips the runs of paused owners. */
  readonly scheduler: Pick<RunScheduler, "pause" | "resume">;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

/** Limits how many runs ask at the same time. */
interface Gate {
  /** Owner whose runs the gate limits. `undefined`: the runs of all owners together. */
  readonly owner?: string;
  /** Number of runs that are asking their budgets now. */
  asking: number;
  /** Maximum number of runs that may wait for such an answer at the same time. */
  limit: number;
  /** Time at which a pause ends. `undefined`: no pause. */
  untilMs?: number | undefined;
}

/**
 * Limits how often runs ask shared budgets (spending limits) whether they may start. Contract: after a refusal, no run of
 * the owner asks until another run of the owner ends or a short time has passed. Then one run at a time asks. With each
 * run that may start, one more may ask at the same time. So runs are refused at most once for each pause, each ended run
 * and each run that has started since the first refusal. If the limit of all owners together is reached, the same applies
 * to all owners as if they were one.
 */
export class BudgetPauses {
  readonly #options: BudgetPausesOptions;
  /** Owners of the runs that are asking, by the id of the run. */
  readonly #asking = new Map<string, string>();
  readonly #gates = new Map<string, Gate>();
  readonly #paused = new Set<Gate>();
  #server = createGate();

  constructor(options: BudgetPausesOptions) {
    this.#options = options;
  }

  /** True while gates are paused. They continue only if `check` is called from time to time. */
  get hasPaused(): boolean {
    return this.#paused.size > 0;
  }

  /** True if a run of an owner that the scheduler does not skip may ask now. */
  get isOpen(): boolean {
    return isOpen(this.#server);
  }

  /** Called when a run asks its budgets. Has no effect if the run is asking already. */
  asks(runId: string, owner: string): void {
    if (this.#asking.has(runId)) return;
    this.#asking.set(runId, owner);
    for (const gate of this.#gatesOf(owner)) {
      gate.asking += 1;
      this.#update(gate);
    }
  }

  /** Notes the answer to a run. Has no effect if the run is not asking. */
  answered(runId: string, answer: BudgetAnswer): void {
    const owner = this.#asking.get(runId);
    if (owner === undefined) return;
    this.#asking.delete(runId);
    const [ofOwner, server] = this.#gatesOf(owner);
    for (const gate of [ofOwner, server]) {
      gate.asking -= 1;
      if (answer === "place") gate.limit += 1;
    }
    if (answer !== "place" && answer !== "unknown") {
      // The budgets of other owners may be readable.
      const refusing = answer === "server_full" ? server : ofOwner;
      refusing.limit = 1;
      refusing.untilMs = this.#options.monotonic() + PAUSE_MS[answer];
      this.#paused.add(refusing);
    }
    for (const gate of [ofOwner, server]) this.#update(gate);
  }

  /** Lets a run ask again, because a run of the owner has ended whose place becomes free after `afterMs` milliseconds. */
  ended(owner: string, afterMs: number): void {
    const freeMs = this.#options.monotonic() + afterMs;
    for (const gate of this.#gatesOf(owner)) {
      if (gate.untilMs !== undefined) gate.untilMs = Math.min(gate.untilMs, freeMs);
    }
    this.check();
  }

  /** Ends the pauses whose time has passed, because runs of other processes may have ended meanwhile. */
  check(): void {
    const nowMs = this.#options.monotonic();
    for (const gate of [...this.#paused]) {
      if (gate.untilMs !== undefined && gate.untilMs > nowMs) continue;
      gate.untilMs = undefined;
      this.#paused.delete(gate);
      this.#update(gate);
    }
  }

  /** Forgets all runs and answers. */
  clear(): void {
    for (const { owner } of this.#gates.values()) if (owner !== undefined) this.#options.scheduler.resume(owner);
    this.#asking.clear();
    this.#gates.clear();
    this.#paused.clear();
    this.#server = createGate();
  }

  #update(gate: Gate): void {
    if (gate.owner === undefined) return;
    if (isOpen(gate)) this.#options.scheduler.resume(gate.owner);
    else this.#options.scheduler.pause(gate.owner);
  }

  #gatesOf(owner: string): readonly [ofOwner: Gate, server: Gate] {
    const ofOwner = this.#gates.get(owner) ?? createGate(owner);
    this.#gates.set(owner, ofOwner);
    return [ofOwner, this.#server];
  }
}

function createGate(owner?: string): Gate {
  return { ...(owner === undefined ? {} : { owner }), asking: 0, limit: Number.POSITIVE_INFINITY };
}

function isOpen({ asking, limit, untilMs }: Gate): boolean {
  return untilMs === undefined && asking < limit;
}
