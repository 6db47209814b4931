// @ts-check
import { spreadOf } from "../figure/spread.mjs";
import { timeCommand } from "./time-command.mjs";

/** @import { Spread } from "../figure/spread.mjs" */
/** @import { Timing } from "./time-command.mjs" */

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
