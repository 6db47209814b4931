/** A clock that stands still until it is told to go on. */
export interface ManualClock {
  /** Milliseconds since the epoch, like `Date.now`. */
  now(): number;
  /** Milliseconds since the clock was made. */
  monotonic(): number;
  /** Resolves when that many milliseconds have been let go by; rejects with the signal's reason when it fires. */
  sleep(durationMs: number, options?: { signal?: AbortSignal | undefined }): Promise<void>;
  /** Lets milliseconds go by and wakes, in the order of their times, everybody whose time has come. */
  advance(durationMs: number): Promise<void>;
  /** How many are asleep. */
  readonly sleeping: number;
}

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** Lets everything that is ready go on before the next sleeper is woken. */
async function settle(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}

/** Makes a clock for tests; it starts at a fixed time unless another is given (milliseconds since the epoch). */
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
