import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;

/** Looks at a condition until it holds or the time is up; says whether it holds. For what sends no event. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  let pauseMs = 1;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(pauseMs);
    pauseMs = Math.min(POLL_MS, pauseMs * 2);
  }
  return true;
}

/** Waits for a promise that never rejects, but no longer than that. */
export function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
