import { expect, test } from "vitest";
import { renderTable } from "./render-table.ts";

const ROWS = [
  ["ENGINE", "VARIANT", "PASS"],
  ["agent", "", "9"],
  ["a\u001b[2J\nb", "", "10"],
];

test("cells are aligned, control characters are visible and line breaks are spaces", () => {
  expect(renderTable(ROWS)).toEqual(["ENGINE   VARIANT  PASS", "agent             9", "a␛[2J b           10"]);
});

test("columns are aligned to the right and empty ones are omitted on request", () => {
  const rows = [ROWS[0] ?? [], ROWS[1] ?? []];
  expect(renderTable(rows, { rightFrom: 2, omitEmpty: true })).toEqual(["ENGINE  PASS", "agent      9"]);
});

test("wide characters count two columns", () => {
  expect(
    renderTable([
      ["A", "B"],
      ["日本", "x"],
      ["ab", "y"],
    ]),
  ).toEqual(["A     B", "日本  x", "ab    y"]);
});
