// @ts-check

/**
 * Source of random numbers that depends only on its seed.
 * @typedef {object} Random
 * @property {() => number} uniform number from 0 to 1, without 1
 * @property {(mean: number) => number} exponential
 * @property {(mean: number, variation: number) => number} logNormal `variation`: standard deviation divided by the mean
 * @property {(mean: number) => number} geometric whole number of at least 1
 */

const GROWTH = 0x6d_2b_79_f5;
const RANGE = 2 ** 32;

/** @param {number} seed @returns {Random} */
export function createRandom(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + GROWTH) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  };
  // The polar method needs no trigonometric functions, whose last digit depends on the version of Node.js.
  const normal = () => {
    for (;;) {
      const [left, right] = [2 * uniform() - 1, 2 * uniform() - 1];
      const square = left ** 2 + right ** 2;
      if (square > 0 && square < 1) return left * Math.sqrt((-2 * Math.log(square)) / square);
    }
  };
  return {
    uniform,
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    logNormal: (mean, variation) => {
      const variance = Math.log(1 + variation ** 2);
      return mean * Math.exp(normal() * Math.sqrt(variance) - variance / 2);
    },
    geometric: (mean) => (mean <= 1 ? 1 : 1 + Math.floor(Math.log(1 - uniform()) / Math.log(1 - 1 / mean))),
  };
}
