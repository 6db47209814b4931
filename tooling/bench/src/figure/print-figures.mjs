// @ts-check
import { verdictOf } from "./figure.mjs";

/** @import { Figure, Target } from "./figure.mjs" */

/**
 * Formats a number with three significant digits.
 * @param {number} value
 * @returns {string}
 */
export function print(value) {
  if (!Number.isFinite(value)) return "-";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

/**
 * @param {Target | undefined} target
 * @returns {string}
 */
export function printTarget(target) {
  if (target === undefined) return "";
  if ("atMost" in target) return `<= ${print(target.atMost)}`;
  return "atLeast" in target ? `>= ${print(target.atLeast)}` : `= ${print(target.exactly)}`;
}

/**
 * Formats the verdict of a figure. Empty without a target.
 * @param {Figure} figure
 * @returns {string}
 */
export function printVerdict(figure) {
  const verdict = verdictOf(figure);
  if (verdict === undefined) return "";
  if (verdict === "undecided") return `undecided, median ${figure.met === true ? "meets" : "misses"}`;
  return verdict === "met" ? "met" : "MISSED";
}

/**
 * @param {Figure} figure
 * @returns {string}
 */
export function printSpread({ spread, pairs }) {
  return spread === undefined ? "" : `${print(spread.min)} to ${print(spread.max)} in ${pairs}`;
}

/** Titles of the columns. */
const COLUMNS = ["", "ours", "yardstick", "ratio", "spread", "target", "", ""];

/**
 * Returns the cells of a figure's row, in the order of `COLUMNS`.
 * @param {Figure} figure
 * @returns {readonly string[]}
 */
export function cellsOf(figure) {
  const { name, unit, ours, yardstick, ratio, target, note } = figure;
  return [
    name,
    `${print(ours)} ${unit}`,
    yardstick === undefined ? "" : `${print(yardstick.value)} ${yardstick.name}`,
    ratio === undefined ? "" : print(ratio),
    printSpread(figure),
    printTarget(target),
    printVerdict(figure),
    note ?? "",
  ];
}

/**
 * Formats figures as lines of a table.
 * @param {readonly Figure[]} figures
 * @returns {string}
 */
export function printFigures(figures) {
  const rows = [COLUMNS, ...figures.map(cellsOf)];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd())
    .join("\n");
}
