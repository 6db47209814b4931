import type { OwnerQuota } from "./owner-quota.ts";

/** State of one owner in the scheduler. */
export class OwnerShare {
  /** Name of the owner. */
  readonly owner: string;
  /** Order among owners with an equal `start`: the owner with the lower position is served first. */
  readonly #position: number;
  /**
   * Start number of the owner's next run. The owner with the lowest start number is served next. Each start of a run
   * increases it by 1 divided by the owner's weight (virtual time of start-time fair queueing).
   */
  start = 0;
  /** Number of waiting runs. */
  waiting = 0;
  /** Number of running runs. */
  running = 0;
  /** Number of reserved places in the queue. */
  reserved = 0;
  #day = "";
  #starts = 0;

  constructor(owner: string, position: number) {
    this.owner = owner;
    this.#position = position;
  }

  /** Counts starts of runs on a day. Only the newest day is counted. */
  countStart(day: string, count = 1): void {
    if (day < this.#day) return;
    if (day > this.#day) this.#starts = 0;
    this.#day = day;
    this.#starts = Math.max(0, this.#starts + count);
  }

  /** Returns whether the owner would exceed a limit if all its waiting runs started. */
  mayExceed({ maxRunning, maxStartsPerDay }: OwnerQuota, day: string): boolean {
    return (
      this.running + this.waiting > (maxRunning ?? Number.POSITIVE_INFINITY) ||
      this.startsOn(day) + this.waiting > (maxStartsPerDay ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Returns whether the owner may start another run. */
  isBelow({ maxRunning, maxStartsPerDay }: OwnerQuota, day: string): boolean {
    return (
      this.running < (maxRunning ?? Number.POSITIVE_INFINITY) &&
      this.startsOn(day) < (maxStartsPerDay ?? Number.POSITIVE_INFINITY)
    );
  }

  /** Returns the number of runs that were started on a day. Only the newest day is counted; other days return 0. */
  startsOn(day: string): number {
    return day === this.#day ? this.#starts : 0;
  }

  /** Returns whether this owner is served before another one: the lower `start` is first, then the lower position. */
  isBefore({ start, position }: { readonly start: number; readonly position: number }): boolean {
    return this.start === start ? this.#position < position : this.start < start;
  }

  /** Order among owners with an equal `start`: the owner with the lower position is served first. */
  get position(): number {
    return this.#position;
  }
}
