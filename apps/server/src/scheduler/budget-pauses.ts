import type { RunScheduler } from "./run-scheduler.ts";

/**
 * How long the runs of an owner do not start after a shared budget (spending limit) allowed no further run, in
 * milliseconds.
 */
const PAUSE_MS = 500;

/**
 * Result of asking the shared budgets (spending limits) whether a run may start. `place`: it may. `no place`: not now.
 * `unknown`: the run did not ask, or failed for another reason.
 */
export type BudgetAnswer = "place" | "no place" | "unknown";

/** Options of `BudgetPauses`. */
export interface BudgetPausesOptions {
  /** Scheduler that skips the runs of paused owners. */
  readonly scheduler: Pick<RunScheduler, "pause" | "resume">;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

/** Requests of an owner's runs to shared budgets. */
interface OwnerRequests {
  /** Number of runs that have asked their budgets whether they may start, and have no answer yet. */
  asking: number;
  /** Maximum number of runs that may wait for such an answer at the same time. */
  limit: number;
}

/**
 * Limits how often the runs of an owner ask shared budgets (spending limits) whether they may start. Contract: after a
 * refusal, no run of the owner starts until another run ends or a short time has passed. Then one run at a time may
 * ask. Each run that is allowed to start doubles the number of runs that may ask at the same time.
 */
export class BudgetPauses {
  readonly #options: BudgetPausesOptions;
  readonly #owners = new Map<string, OwnerRequests>();
  /** Time at which the pause of each owner ends. */
  readonly #untilMs = new Map<string, number>();

  constructor(options: BudgetPausesOptions) {
    this.#options = options;
  }

  /** True while owners are paused because their budgets allow no further run. */
  get hasPaused(): boolean {
    return this.#untilMs.size > 0;
  }

  /**
   * Must be called when a run of an owner asks the shared budgets whether it may start. Each call must be followed by
   * one call of `answered`.
   */
  asks(owner: string): void {
    this.#requestsOf(owner).asking += 1;
    this.#update(owner);
  }

  /** Called with the answer that a run of an owner got from its budgets. */
  answered(owner: string, answer: BudgetAnswer): void {
    const requests = this.#requestsOf(owner);
    requests.asking -= 1;
    if (answer === "place") requests.limit *= 2;
    if (answer === "no place") {
      requests.limit = 1;
      this.#untilMs.set(owner, this.#options.monotonic() + PAUSE_MS);
    }
    this.#update(owner);
  }

  /**
   * Ends all pauses. Called when a run has ended: the budgets may then allow another run. All owners continue, because
   * a budget of the whole server concerns all of them.
   */
  ended(): void {
    this.#resume([...this.#untilMs.keys()]);
  }

  /** Ends the pauses whose time has passed, because runs of other processes may have ended meanwhile. */
  check(): void {
    const nowMs = this.#options.monotonic();
    this.#resume([...this.#untilMs].filter(([, untilMs]) => untilMs <= nowMs).map(([owner]) => owner));
  }

  #resume(owners: readonly string[]): void {
    for (const owner of owners) {
      this.#untilMs.delete(owner);
      this.#update(owner);
    }
  }

  #update(owner: string): void {
    const { asking, limit } = this.#requestsOf(owner);
    if (asking >= limit || this.#untilMs.has(owner)) this.#options.scheduler.pause(owner);
    else this.#options.scheduler.resume(owner);
  }

  #requestsOf(owner: string): OwnerRequests {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    const requests = { asking: 0, limit: Number.POSITIVE_INFINITY };
    this.#owners.set(owner, requests);
    return requests;
  }
}
