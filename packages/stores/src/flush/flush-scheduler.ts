/**
 * Thread that waits for the disk. `adaptive`: this thread while the disk is fast and no other work waits, otherwise
 * another thread. `background`: always another thread.
 */
export type FlushMode = "adaptive" | "background";

/** Maximum duration of a flush, in milliseconds, for the disk to count as fast. */
const QUICK_MS = 5;
/** Number of consecutive fast flushes on another thread after which the disk counts as fast. */
const PROBES = 4;
/** Time after a fast flush, in milliseconds, in which the next flush is expected to be fast too. */
const TRUST_MS = 1_000;
/** Maximum time of flushes on this thread before other work runs, in milliseconds. */
const TURN_MS = 8;
/**
 * Minimum and maximum time, in milliseconds, without flushes on this thread after a slow flush. The time doubles with
 * each slow flush.
 */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 60_000];
/** If the time since a slow flush exceeds the pause by this factor, earlier slow flushes are forgotten. */
const FORGIVEN_AFTER = 16;

/** Dependencies of `FlushScheduler`. */
export interface FlushSchedulerOptions {
  readonly mode: FlushMode;
  /** Returns a monotonic time, in milliseconds. */
  readonly monotonic: () => number;
}

/**
 * Decides which thread waits for the disk, based on the duration of earlier flushes. On a disk that responds in a tenth
 * of a millisecond, switching threads takes longer than the flush. Other disks take a hundred times as long and would
 * block this thread. After a slow flush, this thread does not flush for a while; each slow flush doubles that time.
 * Meanwhile, the duration of flushes on other threads shows whether the disk is fast again.
 */
export class FlushScheduler {
  readonly #options: FlushSchedulerOptions;
  /** Number of fast flushes since the last slow one. */
  #quick = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #slow = { end: Number.NEGATIVE_INFINITY, pauseMs: 0 };
  /** Number of pending flushes on other threads. */
  #waiting = 0;
  /** Start time of the flushes on this thread in the current turn of the event loop, and what was flushed. */
  #turn: { readonly subject: object; readonly start: number } | undefined;

  constructor(options: FlushSchedulerOptions) {
    this.#options = options;
  }

  /**
   * Returns true if the next flush may block this thread: the disk is fast, and no other work waits. `subject`
   * identifies what is flushed, such as a file. A flush of another subject in the same turn of the event loop counts as
   * other work.
   */
  mayBlock(subject: object): boolean {
    const { mode, monotonic } = this.#options;
    if (mode === "background" || this.#quick < PROBES || this.#waiting > 0) return false;
    const now = monotonic();
    if (now - this.#lastEnd > TRUST_MS || now - this.#slow.end < this.#slow.pauseMs) return false;
    return this.#turn === undefined || (this.#turn.subject === subject && now - this.#turn.start < TURN_MS);
  }

  /** Flushes on this thread and returns the result. Throws the error of the flush. */
  block<T>(subject: object, flush: () => T): T {
    const start = this.#options.monotonic();
    if (this.#turn === undefined) {
      this.#turn = { subject, start };
      setImmediate(() => {
        this.#turn = undefined;
      });
    }
    try {
      return flush();
    } finally {
      if (!this.#isQuick(start)) this.#pause();
    }
  }

  /** Flushes on another thread. Rejects with the error of the flush. */
  async wait(flush: () => Promise<void>): Promise<void> {
    if (this.#options.mode === "background") return await flush();
    const start = this.#options.monotonic();
    this.#waiting += 1;
    try {
      await flush();
    } finally {
      this.#waiting -= 1;
      this.#isQuick(start);
    }
  }

  #isQuick(start: number): boolean {
    this.#lastEnd = this.#options.monotonic();
    const isQuick = this.#lastEnd - start <= QUICK_MS;
    this.#quick = isQuick ? this.#quick + 1 : 0;
    return isQuick;
  }

  #pause(): void {
    const { pauseMs, end } = this.#slow;
    const isForgiven = this.#lastEnd - end > pauseMs * FORGIVEN_AFTER;
    this.#slow = {
      end: this.#lastEnd,
      pauseMs: isForgiven ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS),
    };
  }
}
