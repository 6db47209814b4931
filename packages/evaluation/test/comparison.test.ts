import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compareResults, readResults, renderComparisonJunit } from "@switchyard/evaluation";
import { mcnemarTest } from "@switchyard/evaluation/statistics";
import { describeComparison, describeGate } from "@switchyard/evaluation/terminal";
import { describe, expect, test } from "vitest";
import { engineOf, evaluate, makeFolder } from "./evaluate.ts";

interface Row {
  readonly id: string;
  readonly outcomes: readonly string[];
  readonly engine?: string;
  readonly cost?: number | undefined;
  readonly ms?: number;
}

/** Writes a results file and returns its path. */
async function resultsOf(rows: readonly Row[], name = "suite"): Promise<string> {
  const trials = rows.flatMap(({ id, outcomes, engine = "agent", cost, ms = 1_000 }) =>
    outcomes.map((outcome, index) => ({
      ...{ case_id: id, engine, outcome, iteration: index + 1, run_id: "r", duration_ms: ms },
      ...{ usage: cost === undefined ? {} : { cost_usd: cost }, earlier_attempts: [] },
    })),
  );
  const path = join(await makeFolder(), "results.json");
  await writeFile(path, JSON.stringify({ format: 1, name, started_at: "2026-01-01T00:00:00.000Z", trials }));
  return path;
}

/** Returns cases of which the first `failed` fail. */
function suite(count: number, failed: number, more: Partial<Row> = {}): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `case-${index}`,
    outcomes: [index < failed ? "FAIL" : "PASS"],
    ...more,
  }));
}

async function compare(
  base: readonly Row[],
  current: readonly Row[],
  { history = [], ...limits }: Parameters<typeof compareResults>[1] & { history?: readonly (readonly Row[])[] } = {},
) {
  const files = await Promise.all([base, ...history].map((rows) => resultsOf(rows)));
  const read = await Promise.all(files.map(readResults));
  return compareResults({ base: read, current: await readResults(await resultsOf(current)) }, limits);
}

describe("comparison of two evaluations", () => {
  test("a fall of the pass rate beyond chance fails, with the McNemar test for single runs", async () => {
    const comparison = await compare(suite(20, 0), suite(20, 8));
    expect(comparison).toMatchObject({
      outcome: "failed",
      problems: [{ kind: "pass_rate", message: "The pass rate of agent fell by 40 points (p = 0.008)." }],
      groups: [{ cases: 20, base_pass_rate: 1, current_pass_rate: 0.6, test: "mcnemar" }],
    });
    const [group] = comparison.groups;
    expect(group?.difference).toBeCloseTo(-0.4, 12);
    expect(group?.p_value).toBeCloseTo(mcnemarTest(8, 0).exact, 12);
    expect(group?.difference_interval.high).toBeLessThan(-0.1);
    expect(describeComparison(comparison).join("\n")).toMatch(
      /agent +20 +100 % +60 % +−40 points +−\d+ to −\d+ +0\.008.*\n\nagent: worse than the base, beyond chance\./,
    );
  });

  test("a p-value below the shown precision is written as p < 0.001", async () => {
    const { problems } = await compare(suite(20, 0), suite(20, 20));
    expect(problems[0]?.message).toBe("The pass rate of agent fell by 100 points (p < 0.001).");
  });

  test("a fall within chance passes, and the smallest detectable change is named", async () => {
    const comparison = await compare(suite(20, 0), suite(20, 4));
    expect(comparison).toMatchObject({ outcome: "passed", problems: [] });
    expect(describeComparison(comparison).join("\n")).toMatch(
      /no change shown\. 20 cases can show changes of about \d\d points or more\./,
    );
  });

  test("an improvement passes, however large", async () => {
    const comparison = await compare(suite(20, 20), suite(20, 0));
    expect(comparison.outcome).toBe("passed");
    expect(describeComparison(comparison).join("\n")).toContain("better than the base, beyond chance");
  });

  test("with several engines, p-values are adjusted", async () => {
    const two = (failed: number): Row[] => [
      ...suite(20, failed, { engine: "one" }),
      ...suite(20, 0, { engine: "two" }),
    ];
    const comparison = await compare(two(0), two(6));
    expect(comparison.groups.map(({ p_value, adjusted_p_value }) => [p_value, adjusted_p_value])).toEqual([
      [expect.closeTo(0.03125, 10), expect.closeTo(0.0625, 10)],
      [1, 1],
    ]);
    expect(comparison.outcome).toBe("passed");
  });

  test("a single engine is compared with its replacement; engines without a counterpart are not", async () => {
    const renamed = await compare(suite(8, 0, { engine: "old" }), suite(8, 8, { engine: "new" }));
    expect(renamed.groups).toMatchObject([{ base: { engine: "old" }, current: { engine: "new" }, difference: -1 }]);
    expect(describeComparison(renamed)[1]).toMatch(/^old → new /);
    const others = [...suite(2, 0, { engine: "x" }), ...suite(2, 0, { engine: "y" })];
    await expect(compare(others, suite(2, 0))).rejects.toThrow(
      "the results have no engine in common; the base has x, y, the new results have agent.",
    );
    await expect(compare([{ id: "a", outcomes: ["PASS"] }], [{ id: "b", outcomes: ["PASS"] }])).rejects.toThrow(
      "no case in common; the base has a, the new results have b.",
    );
  });

  test("cost and time fail above their limits only", async () => {
    const rows = (cost: number | undefined, ms: number): Row[] => suite(3, 0, { cost, ms });
    const limits = { maxCostIncrease: 0.2, maxTimeIncrease: 0.5 };
    expect((await compare(rows(1, 1_000), rows(1.2, 1_500), limits)).outcome).toBe("passed");
    expect((await compare(rows(1, 1_000), rows(1.3, 1_600), limits)).problems).toMatchObject([
      { kind: "cost", message: "A run of agent costs $1.30 instead of $1.00, more than 20 % above the base." },
      { kind: "time", message: "A run of agent takes 1.6 s instead of 1.0 s, more than 50 % above the base." },
    ]);
    expect((await compare(rows(1, 1_000), rows(1.3, 1_600))).outcome).toBe("passed");
    expect((await compare(rows(0, 1_000), rows(0.1, 1_000), limits)).problems).toMatchObject([{ kind: "cost" }]);
    expect((await compare(rows(1, 1_000), rows(undefined, 1_000), limits)).problems).toMatchObject([
      { kind: "cost", message: expect.stringContaining("is unknown, so its limit cannot be checked") },
    ]);
  });

  test("each case counts once in cost and time, however often it ran", async () => {
    const base: Row[] = [
      { id: "dear", outcomes: Array(9).fill("PASS"), cost: 10 },
      { id: "cheap", outcomes: ["PASS"], cost: 1 },
    ];
    const current: Row[] = [
      { id: "dear", outcomes: ["PASS"], cost: 10 },
      { id: "cheap", outcomes: Array(9).fill("PASS"), cost: 1 },
    ];
    const [group] = (await compare(base, current)).groups;
    expect(group?.cost_usd).toMatchObject({ base: 5.5, current: 5.5, increase: 0 });
    expect(group?.cost_usd?.base_interval?.low).toBe(0);
  });

  test("missing and skipped cases fail unless they are accepted", async () => {
    const current = [...suite(2, 0), { id: "case-2", outcomes: ["SKIPPED"] }];
    const comparison = await compare(suite(4, 0), current);
    expect(comparison.problems).toMatchObject([
      { kind: "missing_cases", message: "The new results of agent lack cases of the base: case-2, case-3." },
    ]);
    expect(comparison.warnings).toEqual([expect.stringContaining("With fewer than 6 cases")]);
    expect((await compare(suite(4, 0), current, { allowMissing: true })).outcome).toBe("passed");
    expect((await compare(suite(2, 0), suite(3, 0))).groups[0]?.added_cases).toEqual(["case-2"]);
  });

  test("earlier results join the base: flaky cases are recognised, and changes of a case are tested", async () => {
    const week = (shaky: string): Row[] => [
      { id: "steady", outcomes: ["PASS", "PASS", "PASS"] },
      { id: "shaky", outcomes: [shaky, "PASS", "PASS"] },
    ];
    const current = [
      { id: "steady", outcomes: ["FAIL", "FAIL", "FAIL"] },
      { id: "shaky", outcomes: ["FAIL", "PASS", "PASS"] },
    ];
    const { groups, base } = await compare(week("PASS"), current, { history: [week("FAIL"), week("PASS")] });
    expect(base).toHaveLength(3);
    expect(groups[0]?.test).toBe("permutation");
    expect(groups[0]?.changes).toEqual([
      {
        ...{ case_id: "steady", change: "regressed", is_flaky: false },
        ...{ base: { passed: 9, runs: 9 }, current: { passed: 0, runs: 3 } },
        // 1 of the 220 ways to draw 3 of 12 runs, for 2 cases.
        adjusted_p_value: expect.closeTo(2 / 220, 10),
      },
      expect.objectContaining({
        case_id: "shaky",
        change: "regressed",
        is_flaky: true,
        adjusted_p_value: expect.any(Number),
      }),
    ]);
  });
});

test("JUnit has one test per check, with the regressed cases", async () => {
  const limits = { maxCostIncrease: 1 };
  const junit = renderComparisonJunit(await compare(suite(20, 0), suite(19, 8), limits));
  expect(junit).toContain('<testsuites name="suite gate" tests="3" failures="3"');
  expect(junit).toContain(
    '<testcase name="pass rate" classname="agent">\n      <failure message="The pass rate of agent fell by 42 points (p = 0.008).">case-0: 1 of 1 passed, now 0 of 1',
  );
  expect(junit).toContain(
    '<testcase name="cost" classname="agent">\n      <failure message="The cost of some runs of agent is',
  );
  expect(junit).toContain(">case-19</failure>");
  // Nothing was checked, so nothing passed.
  const unlimited = renderComparisonJunit(await compare(suite(20, 0), suite(20, 0), { allowMissing: true }));
  expect([...unlimited.matchAll(/<testcase name="([^"]*)"/gu)].map(([, name]) => name)).toEqual(["pass rate"]);
});

test("results are read from an output folder, and wrong fields are named", async () => {
  const yaml = "engines: [e]\nname: real\ncases: [{ id: c, prompt: x, assert: [{ contains: ok }] }]";
  const { output } = await evaluate(yaml, { e: engineOf(async () => "ok") });
  const read = await readResults(output);
  expect(read).toMatchObject({ name: "real", trials: [{ case_id: "c", engine: "e", outcome: "PASS" }] });
  expect(describeGate(compareResults({ base: [read], current: read }))).toEqual(["Gate passed."]);

  const folder = await makeFolder();
  await expect(readResults(join(folder, "none.json"))).rejects.toMatchObject({ code: "input.unreadable" });
  await mkdir(join(folder, "empty"));
  await expect(readResults(join(folder, "empty"))).rejects.toMatchObject({ code: "input.unreadable" });
  const trial = { case_id: "c", engine: "e", iteration: 1, outcome: "PASS", run_id: "r", usage: {} };
  const whole = { format: 1, name: "n", started_at: "2026-01-01T00:00:00.000Z", trials: [trial] };
  const wrong: readonly (readonly [unknown, string])[] = [
    [[], "it must be an object"],
    [{ ...whole, format: 2 }, "format must be 1"],
    [{ ...whole, trials: {} }, "trials must be a list"],
    [{ ...whole, trials: [{ ...trial, outcome: "GOOD" }] }, "trials[0].outcome must be PASS"],
    [{ ...whole, trials: [{ ...trial, duration_ms: -1 }] }, "trials[0].duration_ms must be a number"],
    [{ ...whole, trials: [{ ...trial, usage: { cost_usd: "1" } }] }, "trials[0].usage.cost_usd must be a number"],
    [{ ...whole, trials: [trial, trial] }, "trials[1] repeats an earlier run"],
  ];
  const path = join(folder, "results.json");
  for (const [value, problem] of wrong) {
    await writeFile(path, JSON.stringify(value));
    await expect(readResults(path)).rejects.toMatchObject({
      code: "input.invalid",
      message: expect.stringContaining(problem),
    });
  }
});
