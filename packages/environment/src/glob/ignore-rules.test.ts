import { expect, test } from "vitest";
import { isBelowIgnored, isIgnored, parseIgnoreRules } from "./ignore-rules.ts";

test.each([
  ["dist/", "dist", true, true],
  ["dist/", "dist", false, false],
  ["/dist", "a/dist", true, false],
  ["dist", "a/dist", true, true],
  ["*.log\n!keep.log", "keep.log", false, false],
  ["*.log\n!keep.log", "a/b.log", false, true],
  ["# dist\n\\#x", "#x", false, true],
  ["a/b", "x/a/b", false, false],
  ["a/**/c", "a/b/c", false, true],
  ["trailing   ", "trailing", false, true],
  ["[broken", "[broken", false, false],
  ["{a,b}", "a", false, false],
])("rules %j applied to %s", (text, path, ...[isFolder, expected]) => {
  expect(isIgnored([parseIgnoreRules(text, "")], path, isFolder)).toBe(expected);
});

test("rules of a deeper folder take precedence", () => {
  const layers = [parseIgnoreRules("*.txt", ""), parseIgnoreRules("!a.txt", "sub")];
  expect(isIgnored(layers, "sub/a.txt", false)).toBe(false);
  expect(isIgnored(layers, "a.txt", false)).toBe(true);
});

test("everything in an ignored folder is ignored", () => {
  const layers = [parseIgnoreRules("dist/", "")];
  expect(isBelowIgnored(layers, "a/dist/b/c.txt")).toBe(true);
  expect(isBelowIgnored(layers, "a/dist")).toBe(false);
});

test("a line of a million spaces is parsed quickly", () => {
  const started = performance.now();
  parseIgnoreRules(`${" ".repeat(1_000_000)}x`, "");
  expect(performance.now() - started).toBeLessThan(20_000);
});
