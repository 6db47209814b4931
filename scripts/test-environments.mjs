// @ts-check
// `pnpm test:environments [NAME …]`: runs the contract on the environments of
// packages/environment/test/environments, and prints what each of them keeps and what it was proved on.
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";

/** @import { Reporter, TestCase, TestModule } from "vitest/node" */

/**
 * What became of one environment.
 * @typedef {object} Row
 * @property {string} environment
 * @property {string} component what it was proved on
 * @property {boolean} isReal whether that is the real thing
 * @property {number} passed
 * @property {string[]} failed one line for each case
 * @property {Map<string, number>} skipped cases by reason
 */

/**
 * What a case says of its environment.
 * @typedef {{ environmentRow?: Pick<Row, "environment" | "component" | "isReal"> }} Marked
 */

const root = fileURLToPath(new URL("../packages/environment", import.meta.url));
const FOLDER = "test/environments/";
const names = process.argv.slice(2).filter((argument) => argument !== "--");

/** @type {Map<string, Row>} */
const rows = new Map();
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

const filters = names.length === 0 ? [FOLDER] : names.map((name) => `${FOLDER}${name.replaceAll(" ", "-")}.test`);
const vitest = await startVitest("test", filters, { root, watch: false, reporters: [tableReporter] });
await vitest.close();
printTable([...rows.values()]);
for (const problem of broken) console.log(`\n${problem}`);
const hasFailed = [...rows.values()].some(({ failed }) => failed.length > 0);
process.exitCode = hasFailed || broken.length > 0 || rows.size === 0 ? 1 : 0;

/**
 * @param {TestCase} test
 * @returns {void}
 */
function addCase(test) {
  const { environmentRow: mark } = /** @type {Marked} */ (/** @type {unknown} */ (test.meta()));
  if (mark === undefined) return;
  /** @type {Row} */
  const row = rows.get(mark.environment) ?? { ...mark, passed: 0, failed: [], skipped: new Map() };
  rows.set(mark.environment, row);
  const result = test.result();
  if (result.state === "passed") row.passed += 1;
  if (result.state === "failed") row.failed.push(`${test.name}: ${firstLine(result.errors[0]?.message)}`);
  if (result.state !== "skipped") return;
  const reason = result.note ?? "without a reason";
  row.skipped.set(reason, (row.skipped.get(reason) ?? 0) + 1);
}

/**
 * What broke outside of a case: while a module was loaded, or in what the cases share.
 * @param {TestModule} module
 * @returns {string[]}
 */
function problemsOf(module) {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  return errors.map(({ message }) => `${module.relativeModuleId}: ${firstLine(message)}`);
}

/**
 * @param {readonly Row[]} found
 * @returns {void}
 */
function printTable(found) {
  const lines = found.map((row) => {
    const skipped = [...row.skipped.values()].reduce((sum, count) => sum + count, 0);
    return [row.environment, `${row.passed}`, `${row.failed.length}`, `${skipped}`, renderProof(row)];
  });
  const table = [["environment", "passed", "failed", "skipped", "proved on"], ...lines];
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
