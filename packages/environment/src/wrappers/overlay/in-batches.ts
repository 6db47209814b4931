/** As many calls go on at the same time. */
const BATCH = 16;

/** Does something with every item, some at a time; results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    results.push(...(await Promise.all(items.slice(at, at + BATCH).map(work))));
  }
  return results;
}
