/** Duration of the window. */
const WINDOW_MS = 60_000;

interface Spent {
  readonly atMs: number;
  amount: number;
}

/** Counts how much of a rate limit (requests or tokens) was used within the last minute. */
export interface RateWindow {
  /**
   * Returns the time at which the rate limit allows `amount` more, in milliseconds of the clock. If the limit allows
   * the amount now, the returned time is not in the future.
   */
  fitsAt(amount: number, nowMs: number): number;
  /**
   * Counts an estimated amount against the rate limit. Returns a function that replaces the estimate with the actual
   * amount.
   */
  spend(amount: number, nowMs: number): (actual: number) => void;
}

/**
 * Creates a sliding window of one minute. An amount above the limit is allowed if nothing else was used within the
 * window.
 */
export function createRateWindow(limit: number): RateWindow {
  const spent: Spent[] = [];
  function forget(nowMs: number): void {
    while (spent[0] !== undefined && spent[0].atMs + WINDOW_MS <= nowMs) spent.shift();
  }
  return {
    fitsAt(amount, nowMs) {
      forget(nowMs);
      let total = amount;
      for (const entry of spent) total += entry.amount;
      for (const entry of spent) {
        if (total <= limit) return nowMs;
        total -= entry.amount;
        if (total <= limit) return entry.atMs + WINDOW_MS;
      }
      const last = spent.at(-1);
      return last === undefined || total <= limit ? nowMs : last.atMs + WINDOW_MS;
    },
    spend(amount, nowMs) {
      const entry: Spent = { atMs: nowMs, amount };
      spent.push(entry);
      return (actual) => {
        entry.amount = actual;
      };
    },
  };
}
