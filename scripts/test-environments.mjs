// @ts-check
// `pnpm test:environments [NAME …]`: runs every case of the contract on the environments of
// packages/environment/test/environments and in the shells of packages/environment/test/remote, and prints the results
// and the tested components. `npm test` runs only samples on most of them. Then, without names, runs one task with the built command in every environment that
// `switchyard run --env` supports, and prints the results.
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";

/** @import { Reporter, TestCase, TestModule } from "vitest/node" */

/**
 * Test results of one environment.
 * @typedef {object} Row
 * @property {string} environment
 * @property {string} component tested component
 * @property {boolean} isReal true for the real component
 * @property {number} passed
 * @property {string[]} failed one line for each case
 * @property {Map<string, number>} skipped cases by reason
 */

/**
 * Data of a case about its environment.
 * @typedef {Pick<Row, "environment" | "component" | "isReal">} Mark
 * @typedef {{ environmentRow?: Mark, environmentTask?: Mark }} Marked
 */

const root = fileURLToPath(new URL("../packages/environment", import.meta.url));
const FOLDER = "test/environments/";
/** Contains one test file for each shell in which the scripts of remote environments run, besides other tests. */
const SHELLS_FOLDER = "test/remote/";
const SHELLS = ["bash", "busybox", "dash"];
const names = process.argv.slice(2).filter((argument) => argument !== "--");

/** @type {Map<string, Row>} */
const rows = new Map();
/** @type {Map<string, Row>} */
const taskRows = new Map();
/** @type {string[]} */
const broken = [];

/** @type {Reporter} */
const tableReporter = {
  onTestCaseResult: addCase,
  onTestModuleEnd: (module) => {
    broken.push(...problemsOf(module));
    const last = module.children.array().length === 0 ? "no cases" : `${[...module.children.allTests()].length} cases`;
    console.error(`${module.relativeModuleId}: ${last}, ${Math.round(module.diagnostic().duration / 1_000)} s`);
  },
};

process.env["ENVIRONMENT_CONTRACT"] = "whole";
const named = names.map((name) => `${SHELLS.includes(name) ? SHELLS_FOLDER : FOLDER}${name.replaceAll(" ", "-")}.test`);
const filters = names.length === 0 ? [FOLDER, ...SHELLS.map((shell) => `${SHELLS_FOLDER}${shell}.test`)] : named;
const vitest = await startVitest("test", filters, { root, watch: false, reporters: [tableReporter] });
await vitest.close();
printTable("environment", [...rows.values()]);
const hasTaskFailed = names.length === 0 && (await runTask());
for (const problem of broken) console.log(`\n${problem}`);
const hasFailed = [...rows.values()].some(({ failed }) => failed.length > 0);
process.exitCode = hasFailed || hasTaskFailed || broken.length > 0 || rows.size === 0 ? 1 : 0;

/**
 * @returns {Promise<boolean>} true if it failed in an environment
 */
async function runTask() {
  const config = "vitest.task.config.ts";
  const task = await startVitest("test", [], { root, config, watch: false, reporters: [tableReporter] });
  await task.close();
  console.log("");
  printTable("environment of switchyard run --env", [...taskRows.values()]);
  return taskRows.size === 0 || [...taskRows.values()].some(({ failed }) => failed.length > 0);
}

/**
 * @param {TestCase} test
 * @returns {void}
 */
function addCase(test) {
  const { environmentRow, environmentTask } = /** @type {Marked} */ (/** @type {unknown} */ (test.meta()));
  const mark = environmentRow ?? environmentTask;
  if (mark === undefined) return;
  const table = environmentRow === undefined ? taskRows : rows;
  /** @type {Row} */
  const row = table.get(mark.environment) ?? { ...mark, passed: 0, failed: [], skipped: new Map() };
  table.set(mark.environment, row);
  const result = test.result();
  if (result.state === "passed") row.passed += 1;
  if (result.state === "failed") row.failed.push(`${test.name}: ${firstLine(result.errors[0]?.message)}`);
  if (result.state !== "skipped") return;
  const reason = result.note ?? "without a reason";
  row.skipped.set(reason, (row.skipped.get(reason) ?? 0) + 1);
}

/**
 * Errors outside of cases: while a module was loaded, or in the shared setup.
 * @param {TestModule} module
 * @returns {string[]}
 */
function problemsOf(module) {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`);
}

/**
 * @param {string} title title of the first column
 * @param {readonly Row[]} found
 * @returns {void}
 */
function printTable(title, found) {
  const lines = found.map((row) => {
    const skipped = [...row.skipped.values()].reduce((sum, count) => sum + count, 0);
    return [row.environment, `${row.passed}`, `${row.failed.length}`, `${skipped}`, renderProof(row)];
  });
  const table = [[title, "passed", "failed", "skipped", "tested with"], ...lines];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((cells) => cells[column]?.length ?? 0))) ?? [];
  for (const cells of table)
    console.log(
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
  for (const { environment, skipped, failed } of found) {
    if (skipped.size + failed.length > 0) console.log(`\n${environment}`);
    for (const [reason, count] of skipped) console.log(`  skipped ${count}: ${reason}`);
    for (const problem of failed) console.log(`  failed: ${problem}`);
  }
}

/**
 * @param {Row} row
 * @returns {string}
 */
function renderProof({ component, isReal, passed }) {
  if (passed === 0) return `nothing (${component})`;
  return isReal ? component : `${component}, not the real thing`;
}

/**
 * @param {string | undefined} text
 * @returns {string}
 */
function firstLine(text = "it failed") {
  return text.split("\n", 1).join();
}
