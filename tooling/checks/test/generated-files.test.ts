import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compareGenerated } from "../src/reference/generated-files.mjs";
import { renderTable } from "../src/reference/markdown-table.mjs";
import { scratchFolder } from "./scratch-folder.ts";

test("one byte of difference is a problem; update mends it", () => {
  const root = scratchFolder({ "a.md": "one\n" });
  const files = [
    { path: "a.md", text: "one" },
    { path: "b/c.md", text: "two" },
  ];
  const options = { root, update: false, command: "pnpm docs:update" };
  expect(compareGenerated(files, options)).toEqual([
    "a.md is out of date. Run `pnpm docs:update`.",
    "b/c.md is missing. Run `pnpm docs:update`.",
  ]);
  expect(compareGenerated(files, { ...options, update: true })).toEqual([]);
  expect(compareGenerated(files, options)).toEqual([]);
  expect(readFileSync(join(root, "b/c.md"), "utf8")).toBe("two");
});

test("a line break in a cell does not end its row", () => {
  expect(renderTable(["A", "B"], [["one\ntwo", "x"]]).slice(2)).toEqual(["| one<br>two | x |"]);
});

test("every row of the error reference has all cells", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../docs/reference/errors.md"), "utf8");
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  const widths = new Set(rows.map((row) => row.split(/(?<!\\)\|/).length));
  expect(rows.length).toBeGreaterThan(100);
  expect([...widths]).toEqual([9]);
  expect(text.split("\n").filter((line) => /^[^|\s#].*\|\s*$/.test(line))).toEqual([]);
});

test("a bar in a cell does not end it", () => {
  expect(renderTable(["A"], [["x | y"]])).toEqual(["| A |", "| --- |", "| x \\| y |"]);
});
