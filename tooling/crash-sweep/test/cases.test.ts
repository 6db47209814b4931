import { seededRandom } from "@switchyard/suite/seeded-random";
import { expect, test } from "vitest";
import { nameCase, parseCase } from "../src/driver/case-name.mjs";
import { planCases, spread, stopsIn } from "../src/driver/plan-cases.mjs";
import { renderProblems, summarise } from "../src/driver/summary.mjs";
import type { Violation } from "../src/history/history.mjs";
import { finalState, goodHistory } from "./good-history.ts";

const final = finalState([], []);

function referenceOf(labels: string[], syscalls: Record<string, number> = {}) {
  return { final, labels, syscalls, violations: [] };
}

function outcomeOf(violations: Violation[]) {
  return {
    name: "file/kill/9",
    violations,
    kills: 2,
    attempts: 3,
    recoveryMs: 5,
    struck: "here",
    history: goodHistory(),
  };
}

test("the name of a case contains its variant, its kind, its position and its seed", () => {
  const name = nameCase("skips-flush", "kill", { at: 17, seed: 4 });
  expect(parseCase(name, final).given).toMatchObject({ name, variant: "skips-flush", killAt: 17, seed: 4 });
  expect(parseCase("file/rename/3", final)).toMatchObject({ harm: "rename", given: { syscall: "rename", killAt: 3 } });
  expect(parseCase("sqlite/zombie-lease/3", final).given.leaseMs).toBeGreaterThan(0);
  expect(parseCase("family/flush/3", final).given.syscall).toBe("flush");
  for (const wrong of ["", "file", "file/kill", "file/kill/x", "file/sleep/1", "file/kill/1@"]) {
    expect(() => parseCase(wrong, final)).toThrow("is not a case");
  }
});

test("a full sweep kills at every boundary and in every system call, the same ones for a seed", () => {
  const labels = [
    "made",
    ...Array.from({ length: 60 }, () => [
      "model call",
      "within file write a",
      "before checkpoint",
      "model answer",
    ]).flat(),
  ];
  const syscalls = { rename: 3, fsync: 2, fdatasync: 4, flush: 5 };
  const [file, other] = [referenceOf(labels, syscalls), referenceOf(labels)];
  const references = { file, sqlite: other, family: other, "family-sqlite": other };
  const cases = planCases(references, { seed: 1, short: false });
  for (const [index] of labels.entries()) expect(cases).toContain(`file/kill/${index + 1}`);
  for (const variant of ["family", "family-volatile", "family-sqlite"]) {
    expect(cases.filter((name) => name.startsWith(`${variant}/kill/`)).length).toBeGreaterThanOrEqual(20);
  }
  for (const name of ["file/rename/3", "file/fsync/2", "file/fdatasync/4", "file/flush/5"])
    expect(cases).toContain(name);
  expect(new Set(cases).size).toBe(cases.length);
  expect(planCases(references, { seed: 1, short: false })).toEqual(cases);
  expect(planCases(references, { seed: 2, short: false })).not.toEqual(cases);
  expect(planCases(references, { seed: 1, short: true }).length).toBeLessThan(cases.length / 4);
});

test("a process is suspended only where it uses the store before it has an effect outside", () => {
  const round = ["model answer", "before checkpoint", "after file write c", "after checkpoint"];
  const tool = ["within file write e", "before shell x", "within file write e", "after shell x", "within file write e"];
  expect(stopsIn([...round, ...tool, "before checkpoint", "after checkpoint"])).toEqual([1, 3, 9]);
});

test("a sample of cases is spread evenly from the first to the last", () => {
  expect(spread([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)).toEqual([1, 5, 9]);
  expect(spread([1, 2], 3)).toEqual([1, 2]);
});

test("random choices depend only on the seed", () => {
  const numbers = (seed: number) => Array.from({ length: 50 }, seededRandom(seed));
  expect(numbers(1)).toEqual(numbers(1));
  expect(numbers(1)).not.toEqual(numbers(2));
  expect(numbers(1).every((number) => number >= 0 && number < 1)).toBe(true);
});

test("every broken guarantee is counted and printed with the command that repeats the case", () => {
  const kinds = ["duplicate_effect", "checkpoint_lost", "seq_gap", "terminal_records", "usage", "torn_read"] as const;
  const violations = kinds.map((kind): Violation => ({ promise: "D1", kind, detail: `about ${kind}` }));
  expect(summarise([outcomeOf(violations), outcomeOf([])])).toEqual({
    cases: 2,
    kills: 4,
    recoveryMs: 5,
    duplicateEffects: 1,
    lostCheckpoints: 1,
    gaps: 1,
    terminalRecords: 1,
    differences: 1,
    others: 1,
  });
  expect(renderProblems(outcomeOf(violations)).join("\n")).toContain("pnpm test:crash --only 'file/kill/9'");
  expect(renderProblems(outcomeOf([]))).toEqual([]);
});
