// @ts-check
// Compares the statistics with those of statsmodels, on random inputs.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { seededRandom } from "@switchyard/suite/seeded-random";

/** @typedef {{ name: string, count: number, difference: number, limit: number }} Comparison */

const SCRIPT = fileURLToPath(new URL("statsmodels-values.py", import.meta.url));
/** Debian's packages belong to the second one, also if the first one is another Python. */
const INTERPRETERS = ["python3", "/usr/bin/python3"];
const INPUTS = 200;
/** Largest difference of two computations of one formula. */
const ROUNDING = 1e-9;
/** Largest difference between the planned power and the power of the t-test without approximations. */
const POWER = 0.02;
/** Variance of the difference in one case, at the default correlations and a pass rate of 50 %. */
const varianceAt = (/** @type {number} */ iterations) => 0.5 * (0.5 * 0.3 + 0.5 / iterations);

/**
 * Returns the largest difference from statsmodels for each statistic, or the reason why nothing was compared.
 * @param {Pick<typeof import("../../../packages/evaluation/src/statistics/index.ts"), "clusteredMean" | "mcnemarTest" | "minimumDetectableDifference" | "wilsonInterval">} statistics
 * @param {number} seed
 * @returns {{ version: string, comparisons: Comparison[] } | { missing: string }}
 */
export function compareWithStatsmodels(statistics, seed) {
  const python = INTERPRETERS.find((name) => spawnSync(name, ["-P", "-c", "import statsmodels.api"]).status === 0);
  if (python === undefined) return { missing: "statsmodels is not installed; install python3-statsmodels" };
  const inputs = createInputs(seed);
  const plans = inputs.plans.map(([cases = 0, iterations = 0, alpha = 0, power = 0]) => {
    // Differences above 100 points are not returned, so all plans have enough cases.
    const difference = statistics.minimumDetectableDifference({ cases, iterations, alpha, power }) ?? Number.NaN;
    return [cases, difference - 1 / (cases * iterations), Math.sqrt(varianceAt(iterations)), alpha];
  });
  const { wilson, mcnemar, clustered } = inputs;
  const input = JSON.stringify({ wilson, mcnemar, clustered, power: plans });
  const { status, stdout, stderr } = spawnSync(python, ["-P", SCRIPT], { input, encoding: "utf8" });
  if (status !== 0) throw new Error(`statsmodels failed: ${stderr}`);
  const expected = JSON.parse(stdout);
  const actual = {
    wilson: wilson.map(([passed = 0, runs = 0]) => boundsOf(statistics.wilsonInterval({ passed, runs }))),
    mcnemar: mcnemar.map(([left = 0, right = 0]) => [statistics.mcnemarTest(left, right).exact]),
    clustered: clustered.map((cases) => {
      const { mean, standardError = Number.NaN, ...interval } = statistics.clusteredMean(cases);
      return [mean, standardError, ...boundsOf(interval)];
    }),
    power: inputs.plans.map(([, , , power = 0]) => [power]),
  };
  const rows = /** @type {const} */ ([
    ["wilson", "Wilson interval", ROUNDING],
    ["mcnemar", "exact McNemar test", ROUNDING],
    ["clustered", "mean, standard error and interval by case (cluster-robust)", ROUNDING],
    ["power", "power at the minimum detectable difference (paired t-test)", POWER],
  ]);
  const comparisons = rows.map(([key, name, limit]) => {
    const difference = largestDifference(actual[key], expected[key]);
    return { name, count: actual[key].length, difference, limit };
  });
  return { version: expected.version, comparisons };
}

/** @param {number} seed */
function createInputs(seed) {
  const random = seededRandom(seed);
  const below = (/** @type {number} */ limit) => Math.floor(random() * limit);
  /** @template T @param {() => T} create @returns {T[]} */
  const many = (create) => Array.from({ length: INPUTS }, create);
  return {
    wilson: many(() => {
      const runs = 1 + below(300);
      return [below(runs + 1), runs];
    }),
    mcnemar: many(() => [below(60), 1 + below(60)]),
    // Cases of different sizes, with rewards between 0 and 1.
    clustered: many(() =>
      Array.from({ length: 3 + below(40) }, () => Array.from({ length: 1 + below(8) }, () => random())),
    ),
    plans: many(() => [20 + below(180), 1 + below(10), below(2) === 0 ? 0.05 : 0.01, below(2) === 0 ? 0.8 : 0.9]),
  };
}

/** @param {{ low: number, high: number }} interval */
function boundsOf({ low, high }) {
  return [low, high];
}

/**
 * Returns the largest difference of two lists of numbers. Infinity if one of them is not a number.
 * @param {readonly (readonly number[])[]} actual
 * @param {readonly (number | readonly number[])[]} expected
 */
function largestDifference(actual, expected) {
  const [left, right] = [actual.flat(), expected.flat()];
  if (left.length !== right.length) return Number.POSITIVE_INFINITY;
  const differences = left.map((value, index) => Math.abs(value - (right[index] ?? Number.NaN)));
  return differences.some(Number.isNaN) ? Number.POSITIVE_INFINITY : Math.max(...differences);
}
