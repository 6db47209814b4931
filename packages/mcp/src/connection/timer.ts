import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a duration. */
export interface Timer {
  /** Resolves after a number of milliseconds, or when the signal fires. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The process's timer. Does not keep the process alive. */
export const SYSTEM_TIMER: Timer = {
  sleep: (durationMs, signal) => sleep(durationMs, undefined, { ref: false, signal }).catch(() => {}),
};
