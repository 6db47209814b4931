/** Makes ids of which each is the given one, which nobody else has, with its number behind it: as unique, at a fraction of the cost. */
export function idSeries(id: string): () => string {
  const stem = `${id}-`;
  let count = 0;
  return () => {
    count += 1;
    return stem + count;
  };
}
