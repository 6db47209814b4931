/**
 * Where a store waits for the disk. `adaptive`: on this thread while the disk is known to answer at once and nobody
 * else waits, else on another one. `background`: always on another thread.
 */
export type FlushMode = "adaptive" | "background";

/** The longest flush that may be waited for on this thread, in milliseconds. */
const QUICK_MS = 5;
/** Quick flushes on another thread, one after the other, after which the disk counts as quick. */
const PROBES = 4;
/** How long the last flush says something about the next one, in milliseconds. */
const TRUST_MS = 1_000;
/** How long flushes may be made on this thread until the others get their turn, in milliseconds. */
const TURN_MS = 8;
/** How long no flush is made on this thread after one that was not quick, in milliseconds; twice as long each time. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [10, 60_000];
/** A disk that was quick for so many pauses is taken for one that never was slow. */
const FORGIVEN_AFTER = 16;

/** What a pace needs of the world. */
export interface FlushPaceOptions {
  readonly mode: FlushMode;
  /** Milliseconds since some fixed moment. */
  readonly monotonic: () => number;
}

/**
 * Decides where a store waits for the disk, from how long the flushes before took. To hand a flush to another thread
 * takes longer than the flush itself on a disk that answers in a tenth of a millisecond, but a disk may need a
 * hundred times that, and this thread has other things to do. After one flush that was not quick none is made on this
 * thread for a while, which doubles each time it happens again; those on other threads show when the disk is quick.
 */
export class FlushPace {
  readonly #options: FlushPaceOptions;
  /** Quick flushes since the last slow one. */
  #quick = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #slow = { end: Number.NEGATIVE_INFINITY, pauseMs: 0 };
  /** Flushes on other threads that are not done. */
  #waiting = 0;
  /** When flushes on this thread began in this turn of the event loop, and for whom. */
  #turn: { readonly subject: object; readonly start: number } | undefined;

  constructor(options: FlushPaceOptions) {
    this.#options = options;
  }

  /**
   * Whether the next flush may be made on this thread: the disk is quick, and nobody else waits for it. `subject` is
   * what is flushed, such as a file: another one in the same turn of the event loop is somebody else.
   */
  mayBlock(subject: object): boolean {
    const { mode, monotonic } = this.#options;
    if (mode === "background" || this.#quick < PROBES || this.#waiting > 0) return false;
    const now = monotonic();
    if (now - this.#lastEnd > TRUST_MS || now - this.#slow.end < this.#slow.pauseMs) return false;
    return this.#turn === undefined || (this.#turn.subject === subject && now - this.#turn.start < TURN_MS);
  }

  /** Makes a flush on this thread and gives what it gives. Throws what it throws. */
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

  /** Makes a flush on another thread. Rejects with what it rejects with. */
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
