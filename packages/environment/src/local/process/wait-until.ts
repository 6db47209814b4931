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

/** TimeSlicer of the event loop in which what had happened before the time was over is noticed. */
const LAST_TURNS = 8;

/**
 * Waits for a promise that never rejects, but no longer than that. A process that did not get to run for a while finds
 * its time over before it has looked at what came in meanwhile, the end of a pipe for instance: it looks once more.
 */
export function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    let isSettled = false;
    const lookOn = (turns: number): void => {
      if (isSettled || turns === 0) resolve();
      else setImmediate(lookOn, turns - 1);
    };
    const timer = setTimeout(lookOn, timeoutMs, LAST_TURNS);
    void promise.then(() => {
      isSettled = true;
      clearTimeout(timer);
      resolve();
    });
  });
}
