import { MAX_TIMER_MS } from "./max-timer-ms.ts";

/** Options for `untilAborted`. */
export interface Waiting {
  /** Signal that ends the wait. */
  readonly signal: AbortSignal;
  /** Grace period after the signal aborts, in milliseconds. Default: none. */
  readonly graceMs?: number | undefined;
}

/**
 * Resolves with the promise's value. If the signal aborts first, rejects with the signal's reason, even if the work
 * behind the promise ignores the signal.
 */
export function untilAborted<T>(promise: Promise<T>, { signal, graceMs = 0 }: Waiting): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = (): void => reject(signal.reason);
    const onAbort = (): void => {
      if (graceMs > 0) timer = setTimeout(giveUp, Math.min(graceMs, MAX_TIMER_MS));
      else giveUp();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  });
}
