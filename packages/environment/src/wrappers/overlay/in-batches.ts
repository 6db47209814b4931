/** Number of concurrent calls. */
const BATCH = 16;

/** Processes items with limited concurrency. Results are in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += BATCH) {
    results.push(...(await Promise.all(items.slice(at, at + BATCH).map(work))));
  }
  return results;
}
