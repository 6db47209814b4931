// @ts-check
// `node scripts/verify.mjs [CHECK…] [--no-cache]`: runs the checks and says how each went. Last line: `N passed, N failed`.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { unexpectedSkips } from "../tooling/checks/src/verify/allowed-skips.mjs";
import { checkOutcome } from "../tooling/checks/src/verify/check-outcome.mjs";
import { renderFailure, renderOutcome } from "../tooling/checks/src/verify/print-outcomes.mjs";
import { runTasks } from "../tooling/checks/src/verify/run-tasks.mjs";
import { CHECKS } from "./checks.mjs";
import { turboCommand } from "./turbo-command.mjs";

/** @import { CheckOutcome } from "../tooling/checks/src/verify/check-outcome.mjs" */

const root = resolve(import.meta.dirname, "..");
const { values, positionals } = parseArgs({ allowPositionals: true, options: { "no-cache": { type: "boolean" } } });
const inCi = (process.env["CI"] ?? "") !== "";
const startedAt = Date.now();

const unknown = positionals.filter((name) => CHECKS.every((check) => check.name !== name));
if (unknown.length > 0) {
  console.error(`Unknown check: ${unknown.join(", ")}. The checks are: ${CHECKS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const chosen = CHECKS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const runs = await runTasks([...new Set(chosen.flatMap(({ tasks }) => tasks))], {
  root,
  turbo: (args) => turboCommand(root, args),
  env: {
    ...process.env,
    // Part of the key of every task that runs our code: one Node version never answers for another.
    SWITCHYARD_NODE: process.version,
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    NO_COLOR: "1",
  },
  noCache: inCi || values["no-cache"] === true,
  onStart: (id) => console.error(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${id}`),
});
process.exitCode = report(chosen.map((check) => checkOutcome(check, runs)));

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
  console.log(`Took ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
