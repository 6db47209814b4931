import { setTimeout as delay } from "node:timers/promises";
import { isBusy } from "./sqlite-failure.ts";

const FIRST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 50;

/**
 * Calls a function repeatedly while another connection writes to the database, up to a time limit. SQLite's own busy
 * timeout is not used, because it would block this thread.
 */
export async function retryWhileBusy<T>(attempt: () => T | Promise<T>, busyTimeoutMs: number): Promise<T> {
  const start = performance.now();
  for (let wait = FIRST_DELAY_MS; ; wait = Math.min(wait * 2, LONGEST_DELAY_MS)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() - start >= busyTimeoutMs) throw error;
    }
    await delay(wait);
  }
}
