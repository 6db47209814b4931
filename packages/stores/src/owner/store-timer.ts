/** How long something waits. */
export interface SleepOptions {
  /** Gives up when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Whether the process may end meanwhile. */
  readonly isBackground?: boolean | undefined;
}

/** Measures and waits by the monotonic clock, so that a change of the wall clock changes nothing. D12. */
export interface StoreTimer {
  /** Milliseconds since some fixed moment. */
  monotonic(): number;
  /** Resolves after that many milliseconds. Rejects with the signal's reason when it fires first. */
  sleep(durationMs: number, options?: SleepOptions): Promise<void>;
}

/** The process's own timer. */
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
