/** What one minute may hold. */
const WINDOW_MS = 60_000;

interface Spent {
  readonly atMs: number;
  amount: number;
}

/** Counts what was spent within the last minute. */
export interface RateWindow {
  /** When `amount` more fits, in milliseconds of the clock; not later than now when it does already. */
  fitsAt(amount: number, nowMs: number): number;
  /** Spends an amount; what it was in the end is told to the answer. */
  spend(amount: number, nowMs: number): (actual: number) => void;
}

/** A window of one minute that slides. More than the limit at once fits when nothing else is in it. */
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
