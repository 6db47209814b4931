/** Options for sleeping. */
export interface SleepOptions {
  /** Signal that ends the sleep early when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** True if the process may exit during the sleep. Default: false. */
  readonly isBackground?: boolean | undefined;
}

/**
 * Clock and timers for a store. The monotonic clock is used, so that changes of the wall clock have no effect. See
 * durability promise D12.
 */
export interface StoreTimer {
  /** Returns a monotonic time, in milliseconds. */
  monotonic(): number;
  /** Resolves after the duration, in milliseconds. Rejects with the abort reason if the signal aborts first. */
  sleep(durationMs: number, options?: SleepOptions): Promise<void>;
}

/** The system's timer. */
export const SYSTEM_TIMER: StoreTimer = {
  monotonic: () => performance.now(),
  sleep: (durationMs, { signal, isBackground = false } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = (): void => {
        clearTimeout(timeout);
        reject(signal?.reason);
      };
      const timeout = setTimeout(() => {
        signal?.removeEventListener("abort", abort);
        resolve();
      }, durationMs);
      if (isBackground) timeout.unref();
      signal?.addEventListener("abort", abort, { once: true });
    }),
};
