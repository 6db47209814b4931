// @ts-check
import { quantileOf } from "./spread.mjs";
import { WARM_UPS } from "./take-turns.mjs";

/** @import { Contender } from "./take-turns.mjs" */

/**
 * A contender whose operations are timed individually.
 * @typedef {object} LatencyContender
 * @property {Contender} contender
 * @property {(share: number) => readonly number[]} quantiles milliseconds, one for each counted round
 */

/**
 * @template T
 * @param {number} count operations of a round
 * @param {{ prepare: () => T, operation: (prepared: T) => void | Promise<void> }} work what is prepared right before each operation is not timed
 * @returns {LatencyContender}
 */
export function latencyContender(count, { prepare, operation }) {
  /** @type {number[][]} */
  const rounds = [];
  const run = async () => {
    const latencies = [];
    for (let index = 0; index < count; index += 1) {
      const prepared = prepare();
      const start = performance.now();
      // Synchronous work is not awaited.
      const done = operation(prepared);
      if (done !== undefined) await done;
      latencies.push(performance.now() - start);
    }
    rounds.push(latencies);
  };
  return {
    contender: { count, run },
    quantiles: (share) => rounds.slice(WARM_UPS).map((latencies) => quantileOf(latencies, share)),
  };
}
