/** Calls `work` with each item. Keeps the order, but ignores the limit. */
export function mapLimit(items, _limit, work) {
  return Promise.all(items.map(work));
}
