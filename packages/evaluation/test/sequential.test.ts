import { expect, test } from "vitest";
import { engineOf, evaluate, read } from "./evaluate.ts";

const CASES = Array.from({ length: 12 }, (_, index) => `{ id: c${index}, prompt: p, assert: [{ contains: good }] }`);
const YAML = `{ engines: [one, two], concurrency: 3, cases: [${CASES.join(", ")}] }`;
const good = engineOf(async () => "good");
const bad = engineOf(async () => "bad");

test("a comparison stops as soon as the engines differ, and its results contain only the runs that were needed", async () => {
  const { results, output, progress } = await evaluate(YAML, { one: good, two: bad }, { sequential: {} });
  expect(results.sequential).toEqual({ decision: "different", cases: 9, planned_cases: 12 });
  expect(results.counts.skipped).toBe(0);
  expect(results.counts.total).toBeGreaterThanOrEqual(18);
  // While one run is slow, the other two workers may start more runs than those of one analysis.
  expect(results.counts.total).toBeLessThan(24);
  expect(results.statistics.comparisons[0]).toMatchObject({ difference: 1 });
  expect(progress[0]).toEqual({ type: "eval_started", total: 24, reused: 0 });
  expect(JSON.parse(await read(output, "results.json"))).toMatchObject({ sequential: { decision: "different" } });
  // The cases run in random order.
  const order = [...new Set(results.trials.map(({ case_id }) => case_id))];
  expect(order).not.toEqual(CASES.slice(0, order.length).map((_, index) => `c${index}`));
});

test("equal engines stop when a difference is no longer likely, and resuming adds no runs", async () => {
  const first = await evaluate(YAML, { one: good, two: good }, { sequential: {} });
  expect(first.results.sequential?.decision).toBe("not_different");
  // While one run is slow, the other two workers may start more runs than those of one analysis.
  expect(first.results.counts.total).toBeLessThan(24);
  const again = await evaluate(YAML, { one: good, two: good }, { sequential: {}, resume: true, output: first.output });
  expect(again.results.counts).toEqual(first.results.counts);
  expect(again.progress.map(({ type }) => type)).toEqual(["eval_started"]);
});

test("sequential stopping is refused unless two engines or variants are compared", async () => {
  const one = evaluate("{ engines: [one], cases: [{ id: a, prompt: p }] }", { one: good }, { sequential: {} });
  await expect(one).rejects.toMatchObject({ code: "config.invalid", details: { field: "sequential" } });
});
