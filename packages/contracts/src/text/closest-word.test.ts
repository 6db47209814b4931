import { expect, test } from "vitest";
import { closestWord } from "./closest-word.ts";

const TOOLS = ["read_file", "write_file", "shell", "grep", "glob"];

test.each([
  ["raed_file", "read_file"],
  ["readfile", "read_file"],
  ["Shell", "shell"],
  ["gerp", "grep"],
  ["fly", undefined],
  ["", undefined],
  ["x".repeat(100_000), undefined],
])("%s is closest to %s", (word, meant) => {
  expect(closestWord(word, TOOLS)).toBe(meant);
});
