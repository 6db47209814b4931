import { describe, expect, test } from "vitest";
import { renderPage } from "../page/render-page.ts";
import { mcnemarTest } from "../statistics/index.ts";
import { describeStatistics } from "../terminal/describe-statistics.ts";
import { type EvalResults, summariseTrials } from "./eval-results.ts";
import type { TrialOutcome, TrialResult } from "./trial-result.ts";

interface Row {
  case_id: string;
  engine: string;
  /** Outcome of each iteration. */
  outcomes: readonly TrialOutcome[];
  cost_usd?: number | undefined;
}

function resultsOf(rows: readonly Row[]): EvalResults {
  const lists = { assertions: [], artifacts: [], warnings: [], earlier_attempts: [] };
  const trials: TrialResult[] = rows.flatMap(({ case_id, engine, outcomes, cost_usd }) =>
    outcomes.map((outcome, index) => ({
      ...{ case_id, engine, outcome, iteration: index + 1, run_id: "r", usage: { cost_usd }, ...lists },
    })),
  );
  const times = { started_at: "2026-01-01T00:00:00.000Z", finished_at: "2026-01-01T00:00:05.000Z" };
  return summariseTrials({ name: "e", ...times, warnings: [], trials, isInterrupted: false });
}

/** Eight cases that only `good` passes, and two that both pass. */
function oneSided(cost_usd?: number): Row[] {
  return Array.from({ length: 10 }, (_, index) => `case-${index}`).flatMap((case_id, index) => [
    { case_id, engine: "good", outcomes: ["PASS"], cost_usd },
    { case_id, engine: "bad", outcomes: [index < 8 ? "FAIL" : "PASS"], cost_usd: cost_usd && 2 * cost_usd },
  ]);
}

async function pageOf(results: EvalResults): Promise<string> {
  let page = "";
  for await (const piece of renderPage(results, "/nowhere")) page += piece;
  return page;
}

describe("comparison of engines", () => {
  test("a difference beyond chance is named in results, page and terminal", async () => {
    const results = resultsOf(oneSided(0.5));
    const [comparison] = results.statistics.comparisons;
    expect(comparison).toMatchObject({
      ...{ left: { engine: "good" }, right: { engine: "bad" }, cases: 10, difference: 0.8 },
      p_value: expect.closeTo(mcnemarTest(8, 0).exact, 12),
    });
    expect(comparison?.difference_interval.low).toBeGreaterThan(0.2);
    expect(await pageOf(results)).toContain("good is better");
    expect(describeStatistics(results.statistics).join("\n")).toMatch(
      /good – bad +\+80 points +.*0\.008 +good is better/,
    );
  });

  test("with several engines, p-values are adjusted", () => {
    const rows = [
      ...oneSided(),
      ...oneSided()
        .filter(({ engine }) => engine === "bad")
        .map((row) => ({ ...row, engine: "third" })),
    ];
    const pValues = resultsOf(rows).statistics.comparisons.map(({ p_value, adjusted_p_value }) => [
      p_value,
      adjusted_p_value,
    ]);
    expect(pValues).toEqual([
      [expect.closeTo(0.0078125, 10), expect.closeTo(0.0234375, 10)],
      [expect.closeTo(0.0078125, 10), expect.closeTo(0.0234375, 10)],
      [1, 1],
    ]);
  });

  test("fewer than six cases show no difference, and skipped runs do not count", async () => {
    const rows: Row[] = ["a", "b"].flatMap((case_id) => [
      { case_id, engine: "good", outcomes: ["PASS", "PASS"] },
      { case_id, engine: "bad", outcomes: ["FAIL", "SKIPPED"] },
    ]);
    const results = resultsOf([...rows, { case_id: "c", engine: "good", outcomes: ["PASS"] }]);
    expect(results.statistics.comparisons).toMatchObject([{ cases: 2, difference: 1 }]);
    expect(await pageOf(results)).toContain("too few cases");
  });

  test("a single engine is not compared with other engines", async () => {
    const results = resultsOf([{ case_id: "a", engine: "good", outcomes: ["PASS"], cost_usd: 1 }]);
    expect(results.statistics).toEqual({ comparisons: [], flaky_cases: [], frontier: [] });
    expect(describeStatistics(results.statistics)).toEqual([]);
    expect(await pageOf(results)).not.toContain("Is the difference real?");
  });
});

describe("repeated cases", () => {
  test("groups have the interval of the pass rate, pass@k and pass^k", async () => {
    const results = resultsOf([
      { case_id: "a", engine: "one", outcomes: ["PASS", "PASS", "FAIL", "FAIL"] },
      { case_id: "b", engine: "one", outcomes: ["PASS", "PASS"] },
    ]);
    const [group] = results.groups;
    expect(group?.reliability).toEqual({
      k: 2,
      pass_at_k: expect.closeTo(11 / 12, 12),
      pass_hat_k: expect.closeTo(7 / 12, 12),
    });
    expect(group?.pass_rate_interval?.low).toBeLessThan(0.5);
    const page = await pageOf(results);
    expect(page).toContain('<td class="number" title="k = 2">92 %</td>');
    expect(page).toMatch(/aria-label="95 % interval \d+–\d+ %"/);
  });

  test("a case whose outcome varies is listed as flaky", async () => {
    const results = resultsOf([
      { case_id: "steady", engine: "one", outcomes: ["PASS", "PASS", "SKIPPED"] },
      { case_id: "shaky", engine: "one", outcomes: ["PASS", "FAIL", "PASS", "ERROR"] },
    ]);
    expect(results.statistics.flaky_cases).toMatchObject([{ case_id: "shaky", engine: "one", passed: 2, runs: 4 }]);
    expect(await pageOf(results)).toContain('<td class="number">2 of 4</td>');
    expect(describeStatistics(results.statistics)).toEqual(["Flaky cases:", "  shaky · one: 2 of 4 runs passed", ""]);
  });
});

describe("pass rate and cost", () => {
  test("a dominated engine is not on the frontier", async () => {
    const results = resultsOf(oneSided(0.5));
    expect(results.statistics.frontier).toMatchObject([
      { engine: "good", pass_rate: 1, cost_usd: 0.5, is_on_frontier: true, frontier_share: 1 },
      { engine: "bad", cost_usd: 1, is_on_frontier: false, frontier_share: 0 },
    ]);
    expect(await pageOf(results)).toContain("behind the frontier");
  });

  test("an engine with an unknown cost is not on the frontier", () => {
    expect(resultsOf(oneSided()).statistics.frontier).toEqual([]);
  });
});
