import { expect, test } from "vitest";
import { failuresOf, simulateErrors, simulatePower } from "./simulate-statistics.ts";

// `pnpm test:statistics` simulates 10,000 evaluations; these are the same simulations with fewer.
test("1,000 simulated evaluations: coverage of intervals and false alarms keep their limits", () => {
  const figures = simulateErrors(1_000, 7);
  expect(figures).toHaveLength(18);
  expect(failuresOf(figures)).toEqual([]);
});

test("500 simulated comparisons: sequential stopping needs fewer runs and loses little power", () => {
  const figures = simulatePower(500, 7);
  const shareOf = (name: string): number => figures.find((figure) => figure.name === name)?.value ?? Number.NaN;
  expect(failuresOf(figures)).toEqual([]);
  expect(shareOf("runs of sequential stopping without a difference")).toBeLessThan(0.92);
  expect(shareOf("runs of sequential stopping with the planned difference")).toBeLessThan(0.88);
});
