import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findMutants } from "../src/find-mutants.mjs";
import { type Judged, renderMutant, runMutants } from "../src/run-mutants.mjs";

const FILE = "packages/shop/src/discount.ts";

// Below this package, so that Vitest is found. A copy, because coverage is stored in the repository.
const cache = join(import.meta.dirname, "../.cache");
mkdirSync(cache, { recursive: true });
const root = mkdtempSync(join(cache, "fixture-"));
cpSync(join(import.meta.dirname, "fixture-repository"), root, { recursive: true });
afterAll(() => rmSync(root, { recursive: true, force: true }));

const source = readFileSync(join(root, FILE), "utf8");

function idOf(operator: string, line: string): string {
  const wanted = source.split("\n").findIndex((text) => text.includes(line)) + 1;
  const found = findMutants(FILE, source).find((mutant) => mutant.operator === operator && mutant.line === wanted);
  if (found === undefined) throw new Error(`No ${operator} in ${line}`);
  return found.id;
}

async function run(ids: readonly string[], equivalent: ReadonlyMap<string, string> = new Map()) {
  const judged: Judged[] = [];
  const report = (one: Judged) => void judged.push(one);
  const outcome = await runMutants({ root, seed: 1, count: 1, ids, equivalent, log: () => {}, report });
  const verdicts = new Map(judged.map(({ mutant, verdict }) => [mutant.id, verdict]));
  return { outcome, verdicts, texts: judged.map(renderMutant) };
}

test("a mutant is detected by a test of its package, or of a package that depends on it; the others survive", async () => {
  const detected = idOf("shift-boundary", "price >= 100");
  const byDependent = idOf("negate-condition", "Math.round");
  const uncovered = idOf("swap-equality", "free");
  const tolerated = idOf("shift-boundary", "left > 1");
  const { outcome, verdicts, texts } = await run([detected, byDependent, uncovered, tolerated]);
  expect(verdicts.get(detected)).toEqual({
    kind: "detected",
    by: "packages/shop/src/discount.test.ts > the discount starts at 100",
  });
  expect(verdicts.get(byDependent)).toEqual({
    kind: "detected",
    by: "packages/till/src/till.test.ts > prices are rounded",
  });
  expect(verdicts.get(uncovered)).toEqual({ kind: "survived", testFiles: 0, notRun: 0 });
  expect(verdicts.get(tolerated)).toEqual({ kind: "survived", testFiles: 1, notRun: 0 });
  expect(outcome).toMatchObject({ detected: 2, survived: 2, equivalent: 0 });
  expect(texts.join("\n")).toContain("SURVIVED: no test covers it");
  expect(texts.join("\n")).toContain("-   if (price >= 100) return price - price / 10;\n    +   if (price > 100)");
  expect(readFileSync(join(root, FILE), "utf8")).toBe(source);
});

test("an equivalent mutant is not run, and its reason is shown", async () => {
  const id = idOf("swap-equality", "free");
  const { outcome, texts } = await run(
    [id],
    new Map([
      [id, "for a reason"],
      ["packages/gone.ts#x", "once"],
    ]),
  );
  expect(outcome).toMatchObject({ detected: 0, survived: 0, equivalent: 1, staleIds: ["packages/gone.ts#x"] });
  expect(texts[0]).toContain("equivalent: for a reason");
});

test("an unknown id is an error", async () => {
  await expect(run(["packages/shop/src/discount.ts#none"])).rejects.toThrow("No mutant has the id");
});
