/** Calls `work` with each item, at most `limit` at a time. Resolves with the results in the order of the items. */
export async function mapLimit(items, limit, work) {
  const results = new Array(items.length);
  const open = items.entries();
  const worker = async () => {
    for (const [index, item] of open) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
