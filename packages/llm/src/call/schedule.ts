/** Runs a callback once after a delay in milliseconds. Returns a function that cancels it. */
export type Schedule = (callback: () => void, delayMs: number) => () => void;

/** Schedule based on the process's timers. */
export const scheduleTimer: Schedule = (callback, delayMs) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
