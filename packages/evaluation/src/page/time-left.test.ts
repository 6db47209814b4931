import { expect, test } from "vitest";
import { estimateTimeLeft } from "./time-left.ts";

const ended = (engine: string, case_id: string, duration_ms: number) => ({ engine, case_id, duration_ms });

test("before the first trial has finished, the time left is unknown", () => {
  const waiting = [{ engine: "a", case_id: "1" }];
  expect(estimateTimeLeft({ finished: [], waiting, running: [], concurrency: 1 })).toBeUndefined();
});

test("a trial takes as long as the same case with the same engine, else as the engine, else as all trials", () => {
  const finished = [ended("a", "1", 1_000), ended("a", "2", 3_000), ended("b", "1", 8_000)];
  const timeOf = (engine: string, case_id: string): number | undefined =>
    estimateTimeLeft({ finished, waiting: [{ engine, case_id }], running: [], concurrency: 1 });
  expect(timeOf("a", "1")).toBe(1_000);
  expect(timeOf("a", "9")).toBe(2_000);
  expect(timeOf("c", "9")).toBe(4_000);
});

test("concurrent trials share the time, and the longest running trial bounds it", () => {
  const finished = [ended("a", "1", 10_000)];
  const waiting = Array.from({ length: 4 }, () => ({ engine: "a", case_id: "1" }));
  expect(estimateTimeLeft({ finished, waiting, running: [], concurrency: 4 })).toBe(10_000);
  const running = [{ engine: "a", case_id: "1", elapsedMs: 4_000 }];
  expect(estimateTimeLeft({ finished, waiting: [], running, concurrency: 4 })).toBe(6_000);
  expect(
    estimateTimeLeft({
      finished,
      waiting: [],
      running: [{ ...running[0], engine: "a", case_id: "1", elapsedMs: 60_000 }],
      concurrency: 4,
    }),
  ).toBe(0);
});
