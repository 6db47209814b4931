import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import {
  clusteredMean,
  fisherTest,
  flakeTest,
  mcnemarTest,
  minimumDetectableDifference,
  normalCdf,
  normalQuantile,
  pairedDifference,
  passAtK,
  passHatK,
  passRateInterval,
  permutationTest,
  spentAlpha,
  studentTCdf,
  studentTQuantile,
  wilsonInterval,
} from "../../src/statistics/index.ts";

type Row = readonly number[];

interface ReferenceValues {
  normalCdf: Row[];
  normalQuantile: Row[];
  studentTCdf: Row[];
  studentTQuantile: Row[];
  wilson: Row[];
  passAtK: Row[];
  mcnemar: Row[];
  fisher: Row[];
  binomialTail: Row[];
  permutation: [Row, number][];
  paired: [number[][], number, number, number][];
  detectable: Row[];
  spentAlpha: Row[];
  betaBinomial: [[number, number][], number, number][];
  clustered: { rewards: number[][]; mean: number; standardError: number; interval: Row };
}

const SCRIPT = fileURLToPath(new URL("reference-values.py", import.meta.url));
const execute = promisify(execFile);

async function readStored(): Promise<ReferenceValues> {
  return JSON.parse(await readFile(new URL("reference-values.json", import.meta.url), "utf8"));
}

const stored = await readStored();
const hasScipy = await execute("python3", ["-c", "from scipy.stats import betabinom, permutation_test"]).then(
  () => true,
  () => false,
);

function expectClose(actual: number, expected: number, accuracy = 1e-10): void {
  expect(Math.abs(actual - expected), `${actual} instead of ${expected}`).toBeLessThan(
    accuracy * Math.max(1, Math.abs(expected)),
  );
}

function expectAll(values: ReferenceValues): void {
  for (const [z = 0, p = 0] of values.normalCdf) expectClose(normalCdf(z), p);
  for (const [p = 0, z = 0] of values.normalQuantile) expectClose(normalQuantile(p), z, 1e-8);
  for (const [t = 0, df = 0, p = 0] of values.studentTCdf) expectClose(studentTCdf(t, df), p);
  for (const [p = 0, df = 0, t = 0] of values.studentTQuantile) expectClose(studentTQuantile(p, df), t, 1e-9);
  for (const [passed = 0, runs = 0, low = 0, high = 0] of values.wilson) {
    const interval = wilsonInterval({ passed, runs });
    expectClose(interval.low, low);
    expectClose(interval.high, high);
  }
  for (const [passed = 0, runs = 0, k = 0, any = 0, every = 0] of values.passAtK) {
    expectClose(passAtK({ passed, runs }, k) ?? -1, any);
    expectClose(passHatK({ passed, runs }, k) ?? -1, every);
  }
  for (const [left = 0, right = 0, p = 0] of values.mcnemar) expectClose(mcnemarTest(left, right).exact, p);
  for (const [a = 0, n = 0, c = 0, m = 0, p = 0] of values.fisher) {
    expectClose(fisherTest({ passed: a, runs: n }, { passed: c, runs: m }), p);
  }
  for (const [passed = 0, runs = 0, tolerance = 0, p = 0] of values.binomialTail) {
    expectClose(flakeTest({ passed, runs }, { tolerance }).pValue, p);
  }
  for (const [counts, difference, low, high] of values.paired) {
    const pairs = counts.map(([a = 0, n = 0, c = 0, m = 0]) => ({
      ...{ left: { passed: a, runs: n }, right: { passed: c, runs: m } },
    }));
    const actual = pairedDifference(pairs);
    expectClose(actual.difference, difference);
    expectClose(actual.low, low, 1e-9);
    expectClose(actual.high, high, 1e-9);
  }
  for (const [cases = 0, iterations = 0, alpha = 0, power = 0, difference = 0] of values.detectable) {
    expectClose(minimumDetectableDifference({ cases, iterations, alpha, power }) ?? -1, difference, 1e-9);
  }
  for (const [share = 0, alpha = 0, spent = 0] of values.spentAlpha) expectClose(spentAlpha(share, alpha), spent, 1e-9);
  for (const [differences, p] of values.permutation) {
    expect(permutationTest(differences).method).toBe("exact");
    expectClose(permutationTest(differences).pValue, p);
  }
}

function expectIntervals({ betaBinomial, clustered }: ReferenceValues): void {
  for (const [counts, low, high] of betaBinomial) {
    const interval = passRateInterval(counts.map(([passed, runs]) => ({ passed, runs })));
    // Both are sums over a grid; the reference's is finer.
    expectClose(interval.low, low, 0.002);
    expectClose(interval.high, high, 0.002);
  }
  const { mean, standardError = -1, low, high } = clusteredMean(clustered.rewards);
  expectClose(mean, clustered.mean);
  expectClose(standardError, clustered.standardError);
  expect(clustered.interval).toHaveLength(2);
  expectClose(low, clustered.interval[0] ?? -1, 1e-8);
  expectClose(high, clustered.interval[1] ?? -1, 1e-8);
}

describe("reference values", () => {
  test("distributions and tests equal those of SciPy", () => {
    expect(Object.keys(stored)).toHaveLength(15);
    expectAll(stored);
  });

  test("intervals equal those of SciPy's beta-binomial distribution and of statsmodels' clustered regression", () => {
    expectIntervals(stored);
  });

  test("the installed SciPy still computes the stored values", async ({ skip }) => {
    if (!hasScipy) skip("SciPy is not installed for python3");
    const { stdout } = await execute("python3", [SCRIPT]);
    const fresh: ReferenceValues = JSON.parse(stdout);
    expectAll(fresh);
    expectIntervals(fresh);
  });
});
