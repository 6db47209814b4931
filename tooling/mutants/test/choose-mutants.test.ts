import { expect, test } from "vitest";
import { chooseMutants, shareBySize } from "../src/choose-mutants.mjs";
import type { Mutant } from "../src/find-mutants.mjs";

const KINDS = ["conditions", "limits", "calls"];

function mutantsOf(folder: string, count: number): Mutant[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${folder}#${index}`,
    file: `${folder}/src/a.ts`,
    line: index,
    kind: KINDS[index % KINDS.length] ?? "",
    operator: "x",
    edit: { start: 0, end: 0, text: "" },
  }));
}

const PACKAGES = new Map([
  ["packages/big", mutantsOf("packages/big", 300)],
  ["packages/small", mutantsOf("packages/small", 3)],
  ["packages/empty", []],
]);

const choose = (seed: number, packages = PACKAGES, isValid: (mutant: Mutant) => boolean = () => true) =>
  chooseMutants(packages, { seed, count: 30, isValid });

test("the number of mutants of a package follows its size, and every package has at least one", () => {
  expect(Object.fromEntries(shareBySize(new Map(Object.entries({ a: 900, b: 99, c: 1, d: 0 })), 10))).toEqual({
    a: 8,
    b: 1,
    c: 1,
  });
  expect([...shareBySize(new Map(Object.entries({ a: 2, b: 1 })), 10).values()]).toEqual([2, 1]);
});

test("a seed chooses the same mutants, another seed others", () => {
  expect(choose(1)).toEqual(choose(1));
  expect(choose(1)).not.toEqual(choose(2));
  expect(choose(1)).toHaveLength(30);
});

test("the kinds of mutants alternate within a package", () => {
  const chosen = choose(1).filter(({ file }) => file.startsWith("packages/big/"));
  const counts = KINDS.map((kind) => chosen.filter((mutant) => mutant.kind === kind).length);
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
});

test("a new mutant replaces few of the chosen ones", () => {
  const more = new Map(PACKAGES).set("packages/big", mutantsOf("packages/big", 303));
  const before = new Set(choose(1).map(({ id }) => id));
  expect(choose(1, more).filter(({ id }) => before.has(id)).length).toBeGreaterThanOrEqual(27);
});

test("a mutant that is not valid code is skipped", () => {
  const chosen = choose(1, PACKAGES, ({ line }) => line % 2 === 0);
  expect(chosen.every(({ line }) => line % 2 === 0)).toBe(true);
  expect(chosen).toHaveLength(30);
});
