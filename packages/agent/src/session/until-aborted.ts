import { MAX_TIMER_MS } from "./max-timer-ms.ts";

/** When waiting is given up. */
export interface Waiting {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Time that is left after the signal fired, in milliseconds; none by default. */
  readonly graceMs?: number | undefined;
}

/** What a promise gives, or a rejection with the signal's reason once it fired, whether or not anybody heeds it. */
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
