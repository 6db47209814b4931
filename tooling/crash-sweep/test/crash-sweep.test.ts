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

test("a run keeps every guarantee after kills, power losses, damage, concurrent resumes and takeovers", () => {
  expect(result.problems).toEqual([]);
  expect(result.boundaries).toBeGreaterThanOrEqual(60);
  expect(result.summary.kills).toBeGreaterThan(20);
});

test("every faulty store, agent and environment is detected", () => {
  expect(told.filter((line) => line.includes("was found out by"))).toHaveLength(result.suspects);
});

test("processes are killed during system calls", ({ skip }) => {
  const problem = straceProblem();
  skip(problem !== undefined, problem);
  expect(result.syscallKills).toBeGreaterThanOrEqual(3);
});
