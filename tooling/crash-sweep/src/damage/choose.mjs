// @ts-check

/** @typedef {() => number} Random */

/**
 * Returns an integer from `low` to `high`, both included.
 * @param {Random} random
 * @param {number} low
 * @param {number} high
 * @returns {number}
 */
export function chooseNumber(random, low, high) {
  return low + Math.floor(random() * (Math.max(low, high) - low + 1));
}

/**
 * Returns one of the items. Throws if there are none.
 * @template T
 * @param {Random} random
 * @param {readonly T[]} items
 * @returns {T}
 */
export function chooseOne(random, items) {
  const item = items[chooseNumber(random, 0, items.length - 1)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
