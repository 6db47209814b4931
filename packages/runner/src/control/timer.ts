/** Monotonic clock and timer, which changes of the wall clock do not affect. See durability promise D12. */
export interface Timer {
  /** Milliseconds since an arbitrary fixed time. */
  monotonic(): number;
  /** Resolves after the given time, in milliseconds. Rejects with the signal's reason if the signal aborts first. */
  sleep(durationMs: number, options?: { signal?: AbortSignal | undefined }): Promise<void>;
}

/** Maximum delay of the platform's timer, in milliseconds. A longer wait uses several timers. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Timer of the process. */
export const SYSTEM_TIMER: Timer = {
  monotonic: () => performance.now(),
  sleep: async (durationMs, { signal } = {}) => {
    for (let left = durationMs; left > 0; left -= MAX_DELAY_MS) await wait(Math.min(left, MAX_DELAY_MS), signal);
  },
};

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timeout);
      reject(signal?.reason);
    };
    const timeout = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
