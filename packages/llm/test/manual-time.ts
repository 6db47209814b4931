import type { Schedule } from "../src/index.ts";

export interface ManualTime {
  schedule: Schedule;
  now: () => number;
  /** Timers that are set. */
  waiting: () => number;
  /** Advances the time, and calls the timers that are due. */
  pass: (milliseconds: number) => void;
}

/** A clock that the test advances. */
export function manualTime(): ManualTime {
  const timers = new Map<() => void, number>();
  let time = 0;
  return {
    schedule: (callback, delayMs) => {
      timers.set(callback, time + delayMs);
      return () => void timers.delete(callback);
    },
    now: () => time,
    waiting: () => timers.size,
    pass: (milliseconds) => {
      time += milliseconds;
      for (const [callback, due] of timers) {
        if (due > time) continue;
        timers.delete(callback);
        callback();
      }
    },
  };
}
