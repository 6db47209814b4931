// @ts-check
import { join } from "node:path";
import { runApart } from "../figure/bench-sections.mjs";
import { plainFigure } from "../figure/figure.mjs";
import { titleOf } from "./cost-figures.mjs";
import { workloadOf } from "./workload.mjs";

/** @import { Figure } from "../figure/figure.mjs" */

const SCRIPT = join(import.meta.dirname, "profile-process.mjs");
const ROUNDS = [1_000, 3_000];
/** Number of parts that are listed. */
const MAX_ROWS = 20;

/** @param {string} contender @param {number} rounds @returns {readonly (readonly [part: string, us: number])[]} */
function profileOf(contender, rounds) {
  /** @type {readonly (readonly [string, number])[]} */
  const parts = runApart(SCRIPT, [contender, JSON.stringify(workloadOf({ rounds }))]);
  return parts
    .map(([part, us]) => /** @type {const} */ ([part, us / rounds]))
    .sort(([, left], [, right]) => right - left);
}

/** @param {readonly (readonly [string, number])[]} parts */
function sumOf(parts) {
  return parts.reduce((sum, [, us]) => sum + us, 0);
}

/**
 * Measures how much time each part of the program takes in a round of a run in a file store, compared with a whole round
 * of pi. Time in native code and in Node.js counts for the part that called it.
 * @returns {readonly Figure[]}
 */
export function measureProfile() {
  return ROUNDS.flatMap((rounds) => {
    const [pi, own] = [sumOf(profileOf("pi", rounds)), profileOf("files", rounds)];
    const title = `${rounds.toLocaleString("en-US")} rounds`;
    const whole = sumOf(own);
    const figureOf = (/** @type {string} */ part, /** @type {number} */ us) => {
      const note = `${((us / whole) * 100).toFixed(1)} %; ${(us / pi).toFixed(2)} of a round of ${titleOf("pi")}`;
      return plainFigure({ name: `${title}, ${part}`, unit: "µs", note }, us);
    };
    return [figureOf("run in a file store", whole), ...own.slice(0, MAX_ROWS).map(([part, us]) => figureOf(part, us))];
  });
}
