import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProcessWatch, endProcesses } from "./process-watch.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a place that never answers has survivors, as far as anybody knows, and is not waited for without end", async () => {
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

test("a place that is gone has none", async () => {
  const watch = createProcessWatch(() => Promise.reject(new Error("gone")));
  expect(await watch.signal({ group: 7 }, undefined)).toEqual({ group: false, marked: [] });
  expect(await endProcesses(watch, { group: 7 }, { killGraceMs: 10 })).toBe(true);
});
