import { expect, test } from "vitest";
import { parseIgnoreRules } from "../glob/ignore-rules.ts";
import { renderRulesAbove } from "./render-rules-above.ts";

test.each([
  ["*.log\n!b.log\ndist/", "a", ["*.log", "!b.log", "dist/"]],
  ["/a/b\n/x/b\n!a/c/", "a", ["/b", "!/c/"]],
  ["**/b/c", "a/b", ["/**/b/c", "/c"]],
  ["a/**", "a", ["/**"]],
  ["a/**/b/**/c", "a/b", ["/**/b/**/c", "/**/c"]],
  ["[a-c]?/x\n*/y\n{a}/z", "ab", ["/x", "/y"]],
  ["/a\na/b", "a/b", []],
  ["\\#x\nx\\ \n# no rule", "a", ["\\#x", "x\\ "]],
])("rules %j as applied in %s: %j", (text, folder, expected) => {
  expect(renderRulesAbove([parseIgnoreRules(text, "")], folder)).toBe(expected.map((line) => `${line}\n`).join(""));
});

test("rules of a deeper folder follow those above it, and are read from there", () => {
  const layers = [parseIgnoreRules("*.log", ""), parseIgnoreRules("!*.log\n/b/c", "a")];
  expect(renderRulesAbove(layers, "a/b")).toBe("*.log\n!*.log\n/c\n");
});
