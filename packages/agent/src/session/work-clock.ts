import { elapsedSince } from "./elapsed-since.ts";

/** Measures the time that is worked on inputs; time in which the session waits for a person does not count. */
export class WorkClock {
  readonly #now: () => number;
  #workedMs: number;
  #startedMs: number | undefined;

  /** Makes a clock that stands still, at the time of an earlier process. */
  constructor(now: () => number, workedMs = 0) {
    this.#now = now;
    this.#workedMs = workedMs;
  }

  /** Time worked so far, in milliseconds. */
  get workedMs(): number {
    return this.#workedMs + (this.#startedMs === undefined ? 0 : elapsedSince(this.#startedMs, this.#now));
  }

  /** Goes on; nothing when it runs. */
  start(): void {
    this.#startedMs ??= this.#now();
  }

  /** Stands still; nothing when it does. */
  stop(): void {
    this.#workedMs = this.workedMs;
    this.#startedMs = undefined;
  }
}
