/** A clock for tests, whose time changes only by `advance`. */
export interface ManualClock {
  /** Returns milliseconds since the epoch, like `Date.now`. */
  now(): number;
  /** Returns milliseconds since the clock was created. */
  monotonic(): number;
  /**
   * Resolves after the clock has advanced by the given number of milliseconds. Rejects with the abort reason if the
   * signal aborts.
   */
  sleep(durationMs: number, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Advances the clock. Calls of `sleep` whose time is reached resolve in the order of their times. */
  advance(durationMs: number): Promise<void>;
  /** Number of pending calls of `sleep`. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** Lets pending work finish before the next call of `sleep` resolves. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Creates a clock for tests. The clock starts at a fixed time, or at the given time in milliseconds since 1970. */
export function manualClock(startMs: number = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsedMs = 0;
  const sleepers = new Set<Sleeper>();

  function nextSleeper(until: number): Sleeper | undefined {
    let next: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (sleeper.wakeAt <= until && (next === undefined || sleeper.wakeAt < next.wakeAt)) next = sleeper;
    }
    return next;
  }

  function sleep(durationMs: number, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = (): void => {
        sleepers.delete(sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        wakeAt: elapsedMs + Math.max(0, durationMs),
        wake: () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      sleepers.add(sleeper);
    });
  }

  async function advance(durationMs: number): Promise<void> {
    const until = elapsedMs + durationMs;
    await settle();
    for (let sleeper = nextSleeper(until); sleeper !== undefined; sleeper = nextSleeper(until)) {
      elapsedMs = Math.max(elapsedMs, sleeper.wakeAt);
      sleeper.wake();
      await settle();
    }
    elapsedMs = until;
  }

  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    sleep,
    advance,
    get sleeping() {
      return sleepers.size;
    },
  };
}
