// @ts-check
import { medianOf, spreadOf } from "./spread.mjs";

/** @import { Spread } from "./spread.mjs" */

/**
 * Target of a figure: a limit of the ratio if there is a yardstick, otherwise of the figure itself. Targets of the table
 * `targets.mjs` have an id.
 * @typedef {{ id?: string } & ({ atMost: number } | { atLeast: number } | { exactly: number })} Target
 */

/**
 * One measured figure. The yardstick is from the same run; the ratio is the median over all repetitions.
 * @typedef {object} Figure
 * @property {string} name
 * @property {string} unit
 * @property {number} ours
 * @property {{ name: string, value: number } | undefined} [yardstick]
 * @property {number | undefined} [ratio]
 * @property {Spread | undefined} [spread] of the ratios of all repetitions
 * @property {number | undefined} [pairs] how many repetitions that were
 * @property {Target | undefined} [target]
 * @property {boolean | undefined} [met] whether the ratio, or the figure without a ratio, meets the target; absent without a target
 * @property {string | undefined} [note]
 */

/**
 * @param {number} value
 * @param {Target} target
 * @returns {boolean}
 */
function meets(value, target) {
  if ("atMost" in target) return value <= target.atMost;
  if ("atLeast" in target) return value >= target.atLeast;
  return value === target.exactly;
}

/**
 * Returns whether a figure meets its target. "undecided" if its smallest and its largest ratio are on different sides of
 * the target. `undefined` without a target.
 * @param {Figure} figure
 * @returns {"met" | "missed" | "undecided" | undefined}
 */
export function verdictOf({ target, met, spread }) {
  if (target === undefined || met === undefined) return undefined;
  if (spread !== undefined && meets(spread.min, target) !== meets(spread.max, target)) return "undecided";
  return met ? "met" : "missed";
}

/**
 * Creates a figure without a yardstick.
 * @param {{ name: string, unit: string, target?: Target, note?: string }} label
 * @param {number} ours
 * @returns {Figure}
 */
export function plainFigure(label, ours) {
  return { ...label, ours, met: label.target === undefined ? undefined : meets(ours, label.target) };
}

/**
 * Creates a figure with its yardstick. Both have one value per repetition.
 * @param {{ name: string, unit: string, target?: Target, note?: string }} label
 * @param {readonly number[]} ours
 * @param {{ name: string, values: readonly number[] }} yardstick
 * @returns {Figure}
 */
export function ratioFigure(label, ours, yardstick) {
  const ratios = ours.map((value, index) => value / (yardstick.values[index] ?? Number.NaN));
  const ratio = medianOf(ratios);
  return {
    ...label,
    ours: medianOf(ours),
    yardstick: { name: yardstick.name, value: medianOf(yardstick.values) },
    ratio,
    spread: spreadOf(ratios),
    pairs: ratios.length,
    met: label.target === undefined ? undefined : meets(ratio, label.target),
  };
}
