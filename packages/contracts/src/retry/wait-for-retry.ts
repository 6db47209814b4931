import { EngineError } from "../errors/engine-error.ts";

/** Longest timer delay that Node.js accepts, in milliseconds. Node.js fires a timer with a longer delay immediately. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Resolves after the delay; rejects with `llm.aborted` as soon as the signal aborts. */
export function waitForRetry(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(new EngineError("llm.aborted", {}, { cause: signal?.reason }));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(delayMs, LONGEST_TIMER_MS),
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
