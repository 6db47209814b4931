/** Runs a callback once after a delay in milliseconds; the answer cancels it. */
export type Schedule = (callback: () => void, delayMs: number) => () => void;

/** The schedule of the process: ordinary timers. */
export const scheduleTimer: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
