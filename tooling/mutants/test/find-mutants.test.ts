import { expect, test } from "vitest";
import { applyEdit, findMutants } from "../src/find-mutants.mjs";
import { parse } from "../src/syntax-tree.mjs";

function mutate(text: string, kind: string): string[] {
  return findMutants("a.ts", text)
    .filter((mutant) => mutant.kind === kind)
    .map(({ operator, edit }) => `${operator}: ${applyEdit(text, edit)}`);
}

test("conditions are negated, replaced by a constant and swapped", () => {
  expect(mutate("if (a === b && c) run();", "conditions")).toEqual([
    "negate-condition: if (!(a === b && c)) run();",
    "fix-condition: if (((a === b && c), true)) run();",
    "fix-condition: if (((a === b && c), false)) run();",
    "swap-logical: if (((a === b) || (c))) run();",
    "swap-equality: if (a !== b && c) run();",
  ]);
});

test("parentheses around operands stay", () => {
  expect(mutate("const x = (a ?? 0) <= (b + 1);", "limits")).toEqual([
    "shift-boundary: const x = (a ?? 0) < (b + 1);",
    "drop-one: const x = (a ?? 0) <= ((b));",
  ]);
});

test("limits are raised, but not durations", () => {
  const text = "const LIMITS = { maxBytes: 64 * 1024, timeoutMs: 5_000 }; const name = 3;";
  expect(mutate(text, "limits")).toEqual([
    "raise-limit: const LIMITS = { maxBytes: (64 * 10 + 1) * 1024, timeoutMs: 5_000 }; const name = 3;",
    "raise-limit: const LIMITS = { maxBytes: 64 * (1024 * 10 + 1), timeoutMs: 5_000 }; const name = 3;",
  ]);
  expect(mutate("Math.min(a, b);", "limits")).toEqual(["swap-min-max: Math.max(a, b);"]);
});

test("statements, ends, sorting and spreads change their order", () => {
  expect(mutate("{ one();\nawait two(); let x = 1; }", "order")).toEqual([
    "swap-statements: { await two();\none(); let x = 1; }",
  ]);
  expect(mutate("list.push(1);", "order")).toEqual(["other-end: list.unshift(1);"]);
  expect(mutate("const x = (a ?? b).toSorted();", "order")).toEqual(["drop-sort: const x = (a ?? b);"]);
  expect(mutate("const x = { a: 1, ...(c ? {} : { b: 2 }) };", "order")).toEqual([]);
  expect(mutate("const x = { a: 1, ...b };", "order")).toEqual(["swap-spread: const x = { ...b, a: 1 };"]);
});

test("calls that are statements are dropped", () => {
  expect(mutate("await run(1);", "calls")).toEqual(["drop-call: ;"]);
  expect(mutate("a && run(1);", "calls")).toEqual(["drop-conditional-call: 0;"]);
  expect(mutate("class A extends B { constructor() { super(); } }", "calls")).toEqual([]);
});

test("masks are dropped and file modes opened", () => {
  expect(mutate("const x = masker.mask(text, 1);", "masks")).toEqual(["drop-mask: const x = (text);"]);
  expect(mutate("endEscaped(id);", "masks")).toEqual([]);
  expect(mutate("open(path, 0o600);", "masks")).toEqual(["open-file-mode: open(path, 0o644);"]);
});

test("signals are swapped, dropped and ignored", () => {
  expect(mutate('child.kill("SIGTERM");', "signals")).toEqual(['swap-signal: child.kill("SIGKILL");', "drop-abort: ;"]);
  expect(mutate("const x = run({ a, signal });", "signals")).toEqual(["drop-signal: const x = run({ a, ...{} });"]);
  expect(mutate("while (!signal.aborted) step();", "signals")).toEqual(["ignore-abort: while (!false) step();"]);
  expect(mutate("const x = AbortSignal.any([a, b]);", "signals")).toEqual([
    "drop-joined-signal: const x = AbortSignal.any([...[], b]);",
    "drop-joined-signal: const x = AbortSignal.any([a, ...[]]);",
  ]);
});

test("types and imports have no mutants", () => {
  const text = 'import { a } from "SIGTERM"; type S = "SIGTERM" | "SIGKILL"; interface I { max: 3 }';
  expect(findMutants("a.ts", text)).toEqual([]);
});

test("ids stay when other code changes, and differ for equal lines", () => {
  const ids = findMutants("a.ts", "run();\nrun();\n").map(({ id }) => id);
  // Both calls dropped, and both swapped.
  expect(new Set(ids).size).toBe(3);
  expect(findMutants("a.ts", "let x = 1;\nrun();\nrun();\n").map(({ id }) => id)).toEqual(ids);
});

test("text that is not TypeScript has no tree", () => {
  expect(parse("if (")).toBeUndefined();
});
