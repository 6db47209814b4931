import { setTimeout as delay } from "node:timers/promises";

/**
 * Resolves after a time in milliseconds, or when the signal aborts. The timer does not keep the process running, and
 * leaves no listener on the signal.
 */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The only reason for a rejection is that the signal aborted.
  await delay(ms, undefined, { ref: false, signal }).catch(() => undefined);
}
