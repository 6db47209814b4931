// @ts-check

/**
 * Returns a generator of numbers from 0 (inclusive) to 1 (exclusive) that depend on the seed alone (mulberry32).
 * @param {number} seed
 * @returns {() => number}
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a generator for one case of a generated suite, so that a case can be repeated without those before it.
 * @param {number} seed
 * @param {number} index number of the case
 * @returns {() => number}
 */
export function seededCase(seed, index) {
  return seededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35));
}
