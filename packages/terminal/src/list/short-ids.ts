/** Minimum length of a shortened id, in characters. */
const SHORT_ID = 10;

/** Returns the shortest unambiguous prefix of each id, of at least ten characters. */
export function shortIdsOf(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...ids].sort();
  return new Map(
    sorted.map((id, index) => {
      const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
      return [id, id.slice(0, Math.max(SHORT_ID, shared + 1))];
    }),
  );
}

/** Returns the number of characters that two texts have in common at their start. */
function sharedLength(text: string, other = ""): number {
  let length = 0;
  while (length < text.length && text[length] === other[length]) length++;
  return length;
}
