import { useEffect, useState } from "preact/hooks";

/** Returns the current time, in milliseconds since 1970. Updates every second while `isRunning` is true. */
export function useClock(isRunning: boolean): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return nowMs;
}
