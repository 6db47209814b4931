import type { RunScheduler } from "./run-scheduler.ts";

/** Time for which an owner is skipped whose shared budgets had no place, in milliseconds. */
const PAUSE_MS = 500;

/** Outcome of a run's request for a place. `unknown`: the run did not ask, or failed for another reason. */
export type BudgetAnswer = "place" | "no place" | "unknown";

/** Options of `BudgetPauses`. */
export interface BudgetPausesOptions {
  /** Scheduler whose owners are paused. */
  readonly scheduler: Pick<RunScheduler, "pause" | "resume">;
  /** Monotonic clock, in milliseconds. */
  readonly monotonic: () => number;
}

/** Requests of an owner. */
interface OwnerRequests {
  /** Number of runs that ask now. */
  asking: number;
  /** Number of runs that may ask at the same time. */
  limit: number;
}

/**
 * Limits how often the runs of an owner ask for a place in shared budgets. Contract: after a refusal, the owner is skipped
 * until another run ends or a short time has passed. Then one run at a time asks, and twice as many after each place.
 */
export class BudgetPauses {
  readonly #options: BudgetPausesOptions;
  readonly #owners = new Map<string, OwnerRequests>();
  /** Ends of the pauses by owner. */
  readonly #untilMs = new Map<string, number>();

  constructor(options: BudgetPausesOptions) {
    this.#options = options;
  }

  /** True while owners are paused because their budgets had no place. */
  get hasPaused(): boolean {
    return this.#untilMs.size > 0;
  }

  /** Counts a run of an owner that asks for a place. Each call is followed by one call of `answered`. */
  asks(owner: string): void {
    this.#requestsOf(owner).asking += 1;
    this.#update(owner);
  }

  /** Notes the outcome. */
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

  /** Ends all pauses, because a run has ended and its place may be free. Any owner may need a place of the whole server. */
  ended(): void {
    this.#resume([...this.#untilMs.keys()]);
  }

  /** Ends the pauses whose time has passed: a run of another process may have ended. */
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
