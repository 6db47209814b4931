/** Returns a function that creates ids from a unique id and a counter, which is cheaper than creating UUIDs. */
export function idSeries(id: string): () => string {
  const stem = `${id}-`;
  let count = 0;
  return () => {
    count += 1;
    return stem + count;
  };
}
