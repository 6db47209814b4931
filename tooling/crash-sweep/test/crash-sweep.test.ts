import { afterAll, beforeAll, expect, test } from "vitest";
import { straceProblem } from "../src/driver/strace.mjs";
import { renderSummary } from "../src/driver/summary.mjs";
import { runSweep } from "../src/driver/sweep.mjs";

// The short sweep. `pnpm test:crash` runs the complete one.
const seed = 1;
let result: Awaited<ReturnType<typeof runSweep>>;
const told: string[] = [];

beforeAll(async () => {
  result = await runSweep({ seed, short: true }, (line) => told.push(line));
}, 600_000);

afterAll(() => {
  console.log(renderSummary(result.summary, { boundaries: result.boundaries, seed }));
});

test("killed, without power, damaged, fought over or taken over while it slept, a run keeps every promise", () => {
  expect(result.problems).toEqual([]);
  expect(result.boundaries).toBeGreaterThanOrEqual(60);
  expect(result.summary.kills).toBeGreaterThan(20);
});

test("every wrong store, agent and environment was found out", () => {
  expect(told.filter((line) => line.includes("was found out by"))).toHaveLength(result.suspects);
});

test("processes were killed in the middle of system calls", ({ skip }) => {
  const problem = straceProblem();
  skip(problem !== undefined, problem);
  expect(result.syscallKills).toBeGreaterThanOrEqual(3);
});
