import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../src/repository.mjs";
import { runCommand } from "./run-check.ts";

const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const planted = join(import.meta.dirname, "planted/suites");

function runSuite(name: string) {
  return runCommand([process.execPath, vitest, "run", "--root", planted, name], planted);
}

test("a suite reports what passed, and a skip with its reason", () => {
  expect(runSuite("reasoned.spec.ts").result).toMatchObject({
    passed: 1,
    failed: 0,
    skipped: [{ name: "reasoned.spec.ts > runs in a container", reason: "no container engine" }],
  });
});

test("a suite reports how long its test files took", () => {
  const files = runSuite("reasoned.spec.ts").result?.slowest;
  expect(files?.map(({ name }) => name)).toEqual(["reasoned.spec.ts"]);
  expect(files?.[0]?.durationMs).toBeGreaterThan(0);
});

test("a skip without a reason is a failure", () => {
  const run = runSuite("silent.spec.ts");
  expect(run.exitCode).toBe(1);
  expect(run.result).toMatchObject({ passed: 1, failed: 1, skipped: [] });
});

test("a file that breaks before its tests is a failure", () => {
  const run = runSuite("broken.spec.ts");
  expect(run.exitCode).toBe(1);
  expect(run.result?.failed).toBe(1);
});
