import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 20;

/**
 * Polls a condition until it is true or the time limit is reached. Resolves with true if the condition became true.
 * Used where no event announces the change.
 */
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

/**
 * Number of event loop turns to wait after a deadline, so that events that arrived before the deadline are still
 * processed.
 */
const LAST_TURNS = 8;

/**
 * Waits for a promise that never rejects, up to a time limit. If this process was not scheduled for a while, events
 * that arrived before the deadline are processed before giving up.
 */
export function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    let isSettled = false;
    const waitTurns = (turns: number): void => {
      if (isSettled || turns === 0) resolve();
      else setImmediate(waitTurns, turns - 1);
    };
    const timer = setTimeout(waitTurns, timeoutMs, LAST_TURNS);
    void promise.then(() => {
      isSettled = true;
      clearTimeout(timer);
      resolve();
    });
  });
}
