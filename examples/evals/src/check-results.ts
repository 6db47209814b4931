import assert from "node:assert/strict";
import type { EvalResults } from "@switchyard/evaluation";
import { caseIds, isSolved, rateOf } from "../engines/rates.mjs";

/** True pass rates, as means over all cases. */
const TRUE_RATES = { steady: 0.8, quick: 0.6 } as const;

/** Returns how often an engine passed a case. */
function passesOf({ trials }: EvalResults, engine: string, caseId: string): number {
  return trials.filter((one) => one.engine === engine && one.case_id === caseId && one.outcome === "PASS").length;
}

/** Checks the engines without randomness: `oracle` passes every task; `mistaken` and `nothing` pass none. */
export function checkExtremes(results: EvalResults): void {
  assert.equal(caseIds().length, 20);
  for (const { engine, pass_rate, counts } of results.groups) {
    assert.equal(counts.total, 20);
    for (const id of caseIds()) assert.equal(passesOf(results, engine, id), rateOf(engine, id), `${engine} · ${id}`);
    assert.equal(pass_rate, engine === "oracle" ? 1 : 0);
  }
  const [first] = results.statistics.comparisons;
  assert.equal(first?.difference, 1);
  assert.ok(first.adjusted_p_value < 0.001);
  assert.deepEqual(results.statistics.flaky_cases, []);
}

/** Findings from the results of random engines. */
export interface CheckedScripted {
  /** For each interval, whether it contains the true value. */
  covered: boolean[];
  /** Whether the results show a difference between the engines. */
  isDifferenceFound: boolean;
}

/** Checks the results of `steady` and `quick`: the outcome of each case is known, because their draws are. */
export function checkScripted(
  results: EvalResults,
  { seed, iterations }: { seed: string; iterations: number },
): CheckedScripted {
  const flaky: string[] = [];
  const covered: boolean[] = [];
  for (const engine of ["steady", "quick"] as const) {
    for (const caseId of caseIds()) {
      const draws = Array.from({ length: iterations }, (_, index) => String(index + 1));
      const expected = draws.filter((draw) => isSolved({ engine, caseId, seed, draw })).length;
      assert.equal(passesOf(results, engine, caseId), expected, `${engine} · ${caseId}`);
      if (expected > 0 && expected < iterations) flaky.push(`${engine} · ${caseId}: ${expected} of ${iterations}`);
    }
    const interval = results.groups.find((group) => group.engine === engine)?.pass_rate_interval;
    covered.push(isWithin(TRUE_RATES[engine], interval));
  }
  const found = results.statistics.flaky_cases.map(
    ({ engine, case_id, passed, runs }) => `${engine} · ${case_id}: ${passed} of ${runs}`,
  );
  assert.deepEqual(found.sort(), flaky.sort());
  const [comparison] = results.statistics.comparisons;
  assert.equal(comparison?.left.engine, "steady");
  covered.push(isWithin(TRUE_RATES.steady - TRUE_RATES.quick, comparison.difference_interval));
  const isDifferenceFound = comparison.difference > 0 && comparison.adjusted_p_value < 0.05;
  return { covered, isDifferenceFound };
}

function isWithin(value: number, interval: { low: number; high: number } | undefined): boolean {
  assert.ok(interval !== undefined);
  return interval.low <= value && value <= interval.high;
}

/** Checks that exactly these engines are on the frontier of pass rate and cost, and that costs are those of the engines. */
export function checkFrontier({ statistics }: EvalResults, best: readonly string[]): void {
  const costs: Readonly<Record<string, number>> = {
    oracle: 0.2,
    nothing: 0,
    mistaken: 0.05,
    steady: 0.04,
    quick: 0.01,
  };
  for (const { engine, cost_usd, is_on_frontier } of statistics.frontier) {
    assert.equal(is_on_frontier, best.includes(engine), engine);
    assert.ok(Math.abs(cost_usd - (costs[engine] ?? Number.NaN)) < 1e-9, `${engine} costs ${cost_usd}`);
  }
  assert.ok(statistics.frontier.length >= best.length);
}
