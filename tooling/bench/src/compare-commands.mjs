// @ts-check
import { timeCommand } from "./time-command.mjs";

/** @import { Timing } from "./time-command.mjs" */

/**
 * Smallest, middle and largest of some numbers.
 * @typedef {{ min: number, median: number, max: number }} Spread
 */

/**
 * @param {readonly number[]} values
 * @returns {Spread}
 */
function spreadOf(values) {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (/** @type {number} */ index) => sorted[index] ?? Number.NaN;
  const middle = sorted.length / 2;
  const median = Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
  return { min: at(0), median, max: at(sorted.length - 1) };
}

/**
 * Times two commands in turn, so that a machine whose speed drifts is fair to both. The first pair is not counted.
 * @param {readonly string[]} subject
 * @param {readonly string[]} yardstick
 * @param {number} pairs
 * @returns {Readonly<Record<keyof Timing, { subject: Spread, yardstick: Spread, ratio: Spread }>>}
 */
export function compareCommands(subject, yardstick, pairs) {
  const runs = Array.from({ length: pairs + 1 }, () => [timeCommand(subject), timeCommand(yardstick)]).slice(1);
  const figure = (/** @type {keyof Timing} */ key) => ({
    subject: spreadOf(runs.map(([timing]) => timing?.[key] ?? Number.NaN)),
    yardstick: spreadOf(runs.map(([, timing]) => timing?.[key] ?? Number.NaN)),
    ratio: spreadOf(runs.map(([one, other]) => (one?.[key] ?? Number.NaN) / (other?.[key] ?? Number.NaN))),
  });
  return { wall: figure("wall"), cpu: figure("cpu") };
}
