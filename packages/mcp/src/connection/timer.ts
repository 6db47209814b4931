import { setTimeout as sleep } from "node:timers/promises";

/** Waits. */
export interface Timer {
  /** Resolves after that many milliseconds, or when the signal fires. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}

/** The process's own timer; keeps no process alive. */
export const SYSTEM_TIMER: Timer = {
  sleep: (durationMs, signal) => sleep(durationMs, undefined, { ref: false, signal }).catch(() => {}),
};
