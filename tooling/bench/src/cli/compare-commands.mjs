// @ts-check
import { timeCommand } from "./time-command.mjs";

/** @import { Timing } from "./time-command.mjs" */

const MS = 1_000;

/**
 * Times two commands alternately, in milliseconds, so that drifting machine speed affects both equally. The first pair
 * is not counted.
 * @param {readonly string[]} subject
 * @param {readonly string[]} yardstick
 * @param {number} pairs
 * @returns {Readonly<Record<keyof Timing, { subject: readonly number[], yardstick: readonly number[] }>>}
 */
export function compareCommands(subject, yardstick, pairs) {
  const runs = Array.from({ length: pairs + 1 }, () => [timeCommand(subject), timeCommand(yardstick)]).slice(1);
  const of = (/** @type {keyof Timing} */ key) => ({
    subject: runs.map(([timing]) => (timing?.[key] ?? Number.NaN) * MS),
    yardstick: runs.map(([, timing]) => (timing?.[key] ?? Number.NaN) * MS),
  });
  return { wall: of("wall"), cpu: of("cpu") };
}
