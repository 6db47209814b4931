import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { filesBelow, ROOT } from "../src/repository.mjs";
import { unexpectedSkips } from "../src/verify/allowed-skips.mjs";
import { type Check, checkOutcome } from "../src/verify/check-outcome.mjs";
import { renderFailure, renderOutcome, renderSlowest } from "../src/verify/print-outcomes.mjs";
import type { TaskRun } from "../src/verify/run-tasks.mjs";
import { scratchFolder } from "./scratch-folder.ts";

const TESTS: Check = { name: "tests", tasks: ["test"], proves: "behaviour" };

function taskRun(differences: Partial<TaskRun>): TaskRun {
  const id = "@switchyard/engine#test";
  return { id, task: "test", state: "passed", cached: false, startMs: 0, endMs: 1500, lines: [], ...differences };
}

test("counts of all suites are summed, and a plain tool counts as one", () => {
  const outcome = checkOutcome(TESTS, [
    taskRun({ lines: ['#result {"passed":40,"failed":0,"skipped":[]}'] }),
    taskRun({ id: "@switchyard/agent#test" }),
    taskRun({ id: "//#check:lint", task: "//#check:lint" }),
  ]);
  expect(outcome).toMatchObject({ passed: 41, failed: 0, durationMs: 3000 });
});

test("a skip is named with its package", () => {
  const lines = ['#result {"passed":1,"failed":0,"skipped":[{"name":"a.test.ts > pods","reason":"no cluster"}]}'];
  const { suites } = checkOutcome(TESTS, [taskRun({ lines })]);
  expect(suites.flatMap(({ skipped }) => skipped)).toEqual([
    { name: "engine > a.test.ts > pods", reason: "no cluster" },
  ]);
});

test("a suite that exits with an error has failed whatever it counted", () => {
  const lines = ['#result {"passed":40,"failed":0,"skipped":[]}'];
  expect(checkOutcome(TESTS, [taskRun({ state: "failed", lines })])).toMatchObject({ passed: 40, failed: 1 });
});

test("a suite that could not start is a failure and says so", () => {
  const outcome = checkOutcome(TESTS, [taskRun({ state: "blocked" })]);
  expect(outcome.failed).toBe(1);
  expect(outcome.suites.map(renderFailure).join()).toContain("not run, because a task it needs failed");
});

test("a check that finds nothing to run has failed", () => {
  const outcome = checkOutcome(TESTS, []);
  expect(outcome.failed).toBe(1);
  expect(renderOutcome(outcome)).toContain("found nothing to run");
});

test("cached results are marked in the output", () => {
  const runs = [taskRun({ cached: true }), taskRun({ id: "@switchyard/agent#test" })];
  expect(renderOutcome(checkOutcome(TESTS, runs))).toContain("1.5 s, 1 of 2 cached");
  expect(renderOutcome(checkOutcome(TESTS, [taskRun({ cached: true })]))).toMatch(/cached$/);
});

test("a failure shows the whole output without the line with the result", () => {
  const lines = ["expected 1 to be 2", '#result {"passed":0,"failed":1,"skipped":[]}'];
  const shown = checkOutcome(TESTS, [taskRun({ state: "failed", lines })]).suites.map(renderFailure);
  expect(shown).toEqual(["--- @switchyard/engine#test\nexpected 1 to be 2"]);
});

test("the slowest test files and checks are one list, without what came from the cache", () => {
  const slowest = [
    { name: "a.test.ts", durationMs: 9_000 },
    { name: "b.test.ts", durationMs: 1_000 },
  ];
  const tests = [`#result ${JSON.stringify({ passed: 2, failed: 0, skipped: [], slowest })}`];
  const { suites } = checkOutcome({ ...TESTS, tasks: ["test", "check:lint", "check:pack"] }, [
    taskRun({ lines: tests, endMs: 10_000 }),
    taskRun({ id: "//#check:lint", task: "//#check:lint", endMs: 5_000 }),
    taskRun({ id: "@switchyard/engine#check:pack", task: "check:pack", endMs: 70_000, cached: true }),
  ]);
  expect(renderSlowest(suites, 2)).toEqual(["     9.0 s  engine > a.test.ts", "     5.0 s  repository#check:lint"]);
  expect(renderSlowest(suites, 10)).toHaveLength(3);
});

test("a skip that .ci/skips does not name, reason included, is unexpected", () => {
  const root = scratchFolder({ ".ci/skips": "# comment\nruns in a pod: no cluster\nin memory > *: no processes\n" });
  const named = { name: "runs in a pod", reason: "no cluster" };
  const other = { name: "runs in a pod", reason: "too slow" };
  const alike = { name: "in memory > a command ends", reason: "no processes" };
  const elsewhere = { name: "on disk > a command ends", reason: "no processes" };
  const otherwise = { name: "in memory > a command ends", reason: "too slow" };
  const found = unexpectedSkips([named, other, alike, elsewhere, otherwise], root);
  expect(found).toEqual([other, elsewhere, otherwise]);
});

test("each of the longest tasks is a script of a package", async () => {
  const checks: { LONGEST_TASKS: readonly string[] } = await import(
    pathToFileURL(join(ROOT, "scripts/checks.mjs")).href
  );
  const paths = filesBelow(ROOT, (path) => /^(packages|apps|tooling)\/[^/]+\/package\.json$/.test(path));
  const scripts = paths.flatMap((path) => {
    const manifest = JSON.parse(readFileSync(join(ROOT, path), "utf8"));
    return Object.keys(manifest.scripts ?? {}).map((script) => `${manifest.name}#${script}`);
  });
  expect(scripts).toEqual(expect.arrayContaining([...checks.LONGEST_TASKS]));
});
