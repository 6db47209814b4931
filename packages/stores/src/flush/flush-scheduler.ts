/**
 * Thread that is blocked while data is flushed to disk. `adaptive`: this thread while the disk is fast and no other
 * work waits, otherwise another thread. `background`: always another thread.
 */
export type FlushMode = "adaptive" | "background";

/** Maximum duration, in milliseconds, of a flush on a disk that counts as fast. */
const QUICK_MS = 5;
/** Number of consecutive fast flushes on another thread after which the disk counts as fast. */
const PROBES = 4;
/**
 * Maximum time since the last flush, in milliseconds, for which the disk still counts as fast. After a longer time, the
 * next flush uses another thread.
 */
const TRUST_MS = 1_000;
/** Maximum time, in milliseconds, that flushes may block this thread before other work runs. */
const TURN_MS = 8;
/**
 * Minimum and maximum pause, in milliseconds, after a slow flush, in which this thread does not flush. Each slow flush
 * doubles the pause.
 */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 60_000];
/** If no flush was slow for this multiple of the current pause, earlier slow flushes no longer count. */
const FORGIVEN_AFTER = 16;

/** Dependencies of `FlushScheduler`. */
export interface FlushSchedulerOptions {
  readonly mode: FlushMode;
  /** Returns a monotonic time, in milliseconds. */
  readonly monotonic: () => number;
}

/**
 * Decides which thread flushes data to disk, based on the duration of earlier flushes. On a disk that responds in a
 * tenth of a millisecond, switching threads takes longer than the flush. Slower disks may take a hundred times as long,
 * and a flush on this thread would block it for this time. After a slow flush, this thread does not flush for a while;
 * each slow flush doubles that time. Meanwhile, the duration of flushes on other threads shows whether the disk is fast
 * again.
 */
export class FlushScheduler {
  readonly #options: FlushSchedulerOptions;
  /** Number of consecutive fast flushes since the last slow flush. */
  #quick = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #slow = { end: Number.NEGATIVE_INFINITY, pauseMs: 0 };
  /** Number of pending flushes on other threads. */
  #waiting = 0;
  /**
   * First flush on this thread in the current turn of the event loop: the file or session that was flushed, and the
   * start time. `undefined` if this thread has not flushed in this turn.
   */
  #turn: { readonly subject: object; readonly start: number } | undefined;

  constructor(options: FlushSchedulerOptions) {
    this.#options = options;
  }

  /**
   * Returns true if the next flush may block this thread: the disk is fast, and no other work waits. `subject`
   * identifies the file or session that is flushed. A flush for another one in the same turn of the event loop counts
   * as other work.
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
