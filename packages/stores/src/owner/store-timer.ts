/** Options for sleeping. */
export interface SleepOptions {
  /** Signal that cancels the sleep when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** True if the process may exit during the sleep. Default: false. */
  readonly isBackground?: boolean | undefined;
}

/** Measures time and waits by the monotonic clock, so that wall clock changes have no effect. D12. */
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
