import { expect, test } from "vitest";
import { blockAt, blocksIn, insertProbes } from "../src/probes/insert-probes.mjs";
import { parse } from "../src/syntax-tree.mjs";

const TEXT = `"use strict";
function choose(value) {
  if (value > 1) return "many";
  else return [value].map((one) => one === 1 ? "one" : "none")[0];
}
switch (given) {
  case 1: out.push(choose(1)); break;
  default: for (const each of [2, 3]) out.push(choose(each));
}
`;

/** Runs a text with probes, and returns the innermost block of each of its parts that ran. */
function run(given: number) {
  const hits: Record<number, number> = {};
  const out: string[] = [];
  const code = insertProbes(TEXT, "a.ts");
  Reflect.set(globalThis, "__switchyardProbes", () => hits);
  try {
    new Function("given", "out", code)(given, out);
  } finally {
    Reflect.deleteProperty(globalThis, "__switchyardProbes");
  }
  const ran = (part: string) => hits[blockAt(blocksIn(TEXT), TEXT.indexOf(part))] === 1;
  return { out, ran, code };
}

test("blocks report when they run, and the result is the same", () => {
  const one = run(1);
  expect(one.out).toEqual(["one"]);
  expect(['"many"', "one ===", "choose(1)", "choose(each)", "switch"].map(one.ran)).toEqual([
    false,
    true,
    true,
    false,
    true,
  ]);
  const two = run(2);
  expect(two.out).toEqual(["many", "many"]);
  expect(['"many"', "one ===", "choose(1)", "choose(each)"].map(two.ran)).toEqual([true, false, false, true]);
});

test("lines keep their numbers and the code stays valid", () => {
  const { code } = run(1);
  expect(parse(code)).toBeDefined();
  for (const [index, line] of TEXT.split("\n").entries()) {
    const word = /\w+/.exec(line)?.[0] ?? "";
    expect(code.split("\n")[index]).toContain(word);
  }
});

test("the code also runs without a receiver", () => {
  const out: string[] = [];
  new Function("given", "out", insertProbes(TEXT, "a.ts"))(1, out);
  expect(out).toEqual(["one"]);
});
