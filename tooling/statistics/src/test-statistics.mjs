// @ts-check
// Simulates evaluations and checks the figures of the statistics against their limits. Then compares the statistics with
// those of statsmodels, if it is installed.
import { parseArgs } from "node:util";
import { loadFromSource } from "@switchyard/suite/load-from-source";
import { compareWithStatsmodels } from "./compare-with-statsmodels.mjs";

const { values } = parseArgs({
  options: { evaluations: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const [evaluations, seed] = [Number(values.evaluations), Number(values.seed)];
if (!Number.isInteger(evaluations) || evaluations < 100 || !Number.isInteger(seed)) {
  console.error("Usage: pnpm test:statistics [--evaluations COUNT, at least 100] [--seed INTEGER]");
  process.exit(2);
}

const root = new URL("../../../packages/evaluation/", import.meta.url);
const exports = await loadFromSource(new URL("test/statistics/simulate-statistics.ts", root), root);
/** @type {readonly import("../../../packages/evaluation/test/statistics/simulate-statistics.ts").Figure[]} */
const figures = [...exports["simulateErrors"](evaluations, seed), ...exports["simulatePower"](evaluations, seed)];
/** @type {typeof figures} */
const failures = exports["failuresOf"](figures);

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(2)} %`;
console.log(`${evaluations.toLocaleString("en-US")} simulated evaluations, seed ${seed}\n`);
for (const figure of figures) {
  const { name, count, value, limits } = figure;
  const sign = limits === undefined ? " " : failures.includes(figure) ? "✗" : "✓";
  const range = limits === undefined ? "" : `, limits ${limits.map(percent).join(" to ")}`;
  console.log(`${sign} ${percent(value).padStart(9)}  ${name} (${count.toLocaleString("en-US")} evaluations${range})`);
}
console.log(`\n${figures.length} figures, ${failures.length} outside their limits`);
if (failures.length > 0) process.exitCode = 1;

const { clusteredMean, mcnemarTest, minimumDetectableDifference, wilsonInterval } = await loadFromSource(
  new URL("src/statistics/index.ts", root),
  root,
);
const compared = compareWithStatsmodels(
  { clusteredMean, mcnemarTest, minimumDetectableDifference, wilsonInterval },
  seed,
);
if ("missing" in compared) console.log(`\nNot compared with statsmodels: ${compared.missing}.`);
else {
  console.log(`\nLargest differences from statsmodels ${compared.version}`);
  for (const { name, count, difference, limit } of compared.comparisons) {
    const isClose = difference <= limit;
    console.log(
      `${isClose ? "✓" : "✗"} ${difference.toExponential(1).padStart(9)}  ${name} (${count} inputs, limit ${limit})`,
    );
    if (!isClose) process.exitCode = 1;
  }
}
