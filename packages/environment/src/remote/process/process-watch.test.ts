import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProcessWatch, endProcesses } from "./process-watch.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("an environment that never responds counts as having survivors, and the wait has a time limit", async () => {
  const watch = createProcessWatch(() => new Promise(() => {}));
  let found: unknown;
  void watch.signal({ group: 7 }, "SIGTERM").then((survivors) => {
    found = survivors;
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(found).toBeUndefined();
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(found).toEqual({ group: true, marked: [] }));
});

test("an environment that no longer exists has no survivors", async () => {
  const watch = createProcessWatch(() => Promise.reject(new Error("gone")));
  expect(await watch.signal({ group: 7 }, undefined)).toEqual({ group: false, marked: [] });
  expect(await endProcesses(watch, { group: 7 }, { killGraceMs: 10 })).toBe(true);
});
