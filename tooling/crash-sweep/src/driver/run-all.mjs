// @ts-check

/**
 * Processes items a few at a time, because most of them mostly wait. Returns the results in the order of the items.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<R>} work
 * @param {number} [parallel]
 * @returns {Promise<R[]>}
 */
export async function runAll(items, work, parallel = 3) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  async function take() {
    while (next < items.length) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  }
  await Promise.all(Array.from({ length: parallel }, take));
  return results;
}
