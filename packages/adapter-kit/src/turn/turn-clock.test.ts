import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DEFAULT_TIMEOUTS, startTurnClock } from "./turn-clock.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("The time limits do not count the time in which the agent waits for the user [adapter-timeouts-1]", () => {
  using clock = startTurnClock({ ...DEFAULT_TIMEOUTS, turnTimeoutMs: 10_000, stallTimeoutMs: 4_000 }, []);
  clock.responded();
  vi.advanceTimersByTime(3_000);
  const first = clock.pause();
  const second = clock.pause();
  vi.advanceTimersByTime(3_600_000);
  clock.alive();
  first[Symbol.dispose]();
  vi.advanceTimersByTime(3_600_000);
  expect(clock.stop).toBeUndefined();
  second[Symbol.dispose]();
  vi.advanceTimersByTime(3_999);
  clock.alive();
  vi.advanceTimersByTime(3_000);
  expect(clock.stop).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(clock.stop).toEqual({ kind: "turn_timeout", timeoutMs: 10_000 });
});

test("An agent that is silent after the user has answered is stopped", () => {
  using clock = startTurnClock({ ...DEFAULT_TIMEOUTS, stallTimeoutMs: 4_000 }, []);
  {
    using _ = clock.pause();
    vi.advanceTimersByTime(60_000);
  }
  vi.advanceTimersByTime(3_999);
  expect(clock.stop).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(clock.stop).toEqual({ kind: "silence", timeoutMs: 4_000 });
});

test("a turn without a time limit stays unlimited after the user has answered", () => {
  using clock = startTurnClock({ ...DEFAULT_TIMEOUTS, turnTimeoutMs: 0, stallTimeoutMs: 0, startupTimeoutMs: 0 }, []);
  clock.pause()[Symbol.dispose]();
  vi.advanceTimersByTime(24 * 3_600_000);
  expect(clock.signal.aborted).toBe(false);
});
