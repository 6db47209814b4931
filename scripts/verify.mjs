// @ts-check
// `node scripts/verify.mjs [CHECK…] [--no-cache]`: runs the checks and prints the result of each. Last line: `N passed,
// N failed`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { unexpectedSkips } from "../tooling/checks/src/verify/allowed-skips.mjs";
import { checkOutcome } from "../tooling/checks/src/verify/check-outcome.mjs";
import { renderFailure, renderOutcome, renderSlowest } from "../tooling/checks/src/verify/print-outcomes.mjs";
import { runTasks } from "../tooling/checks/src/verify/run-tasks.mjs";
import { CHECKS, LONGEST_TASKS } from "./checks.mjs";
import { turboCommand } from "./turbo-command.mjs";

/** @import { Check, CheckOutcome } from "../tooling/checks/src/verify/check-outcome.mjs" */

const root = resolve(import.meta.dirname, "..");
const SLOWEST = 10;
const inCi = (process.env["CI"] ?? "") !== "";
const startedAt = Date.now();
/** Where all tests of this run store the modules that they transform (tooling/suite/src/shared-modules.mjs). */
const testModules = mkdtempSync(join(tmpdir(), "switchyard-test-modules-"));

try {
  const { checks, noCache } = readArguments();
  process.exitCode = report(await runChecks(checks, noCache || inCi));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log("0 passed, 1 failed");
  process.exitCode = 1;
} finally {
  rmSync(testModules, { recursive: true, force: true });
}

/** @returns {{ checks: readonly Check[], noCache: boolean }} */
function readArguments() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { "no-cache": { type: "boolean" } } });
  const unknown = positionals.filter((name) => CHECKS.every((check) => check.name !== name));
  if (unknown.length > 0) {
    const names = CHECKS.map(({ name, proves }) => `  ${name.padEnd(14)}${proves}`).join("\n");
    throw new Error(`Unknown check: ${unknown.join(", ")}. The checks are:\n${names}`);
  }
  const checks = CHECKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { checks, noCache: values["no-cache"] === true };
}

/**
 * @param {readonly Check[]} checks
 * @param {boolean} noCache
 * @returns {Promise<CheckOutcome[]>}
 */
async function runChecks(checks, noCache) {
  const runs = await runTasks([...new Set(checks.flatMap(({ tasks }) => tasks))], {
    root,
    turbo: (args) => turboCommand(root, args),
    env: {
      ...process.env,
      // Part of the cache key of every task that runs code of this repository, so that a result of one Node version is
      // not reused for another.
      SWITCHYARD_NODE: process.version,
      SWITCHYARD_TEST_MODULES: testModules,
      TURBO_TELEMETRY_DISABLED: "1",
      DO_NOT_TRACK: "1",
      // The compiler, a Go program, collects garbage less often, which takes a sixth of its processor time.
      GOGC: process.env["GOGC"] ?? "400",
      NO_COLOR: "1",
    },
    noCache,
    longest: LONGEST_TASKS,
    onStart: (id) => console.error(`${elapsed().padStart(8)}  ${id}`),
  });
  return checks.map((check) => checkOutcome(check, runs));
}

/**
 * @param {readonly CheckOutcome[]} outcomes
 * @returns {number} the exit code
 */
function report(outcomes) {
  const suites = outcomes.flatMap((outcome) => outcome.suites);
  for (const suite of suites) if (suite.failed > 0) console.log(`\n${renderFailure(suite)}`);
  console.log("");
  for (const outcome of outcomes) console.log(renderOutcome(outcome));
  const skips = suites.flatMap((suite) => suite.skipped);
  const unexpected = inCi ? unexpectedSkips(skips, root) : [];
  console.log(skips.length === 0 ? "\nNothing was skipped." : "\nSkipped:");
  for (const { name, reason } of skips) console.log(`  ${name}: ${reason}`);
  for (const { name } of unexpected) console.log(`Not allowed by .ci/skips: ${name}`);
  const failed = outcomes.reduce((total, outcome) => total + outcome.failed, 0) + unexpected.length;
  const passed = outcomes.reduce((total, outcome) => total + outcome.passed, 0);
  const slowest = renderSlowest(suites, SLOWEST);
  if (slowest.length > 0) console.log(["\nSlowest test files and checks:", ...slowest, ""].join("\n"));
  console.log(`Took ${elapsed()}.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

/** @returns {string} */
function elapsed() {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}
