/** Calls `work` with each item, at most `limit` at a time. Resolves with the results in the order of the items. */
export async function mapLimit(items, limit, work) {
  const results = [];
  const open = items.values();
  const worker = async () => {
    for (const item of open) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
