/** Returns the offset of the next occurrence of a text, or -1. Skips matches that start in the middle of a CRLF. */
export function nextOccurrence(text: string, wanted: string, from: number): number {
  let at = text.indexOf(wanted, from);
  while (at > 0 && text[at] === "\n" && text[at - 1] === "\r") at = text.indexOf(wanted, at + 1);
  return at;
}

/**
 * Returns the offsets at which a text occurs, without overlapping matches. If there is only one match and `replaceAll`
 * is false, also returns a match that overlaps it, because the text to replace is then ambiguous.
 */
export function occurrences(text: string, wanted: string, replaceAll: boolean): number[] {
  const found: number[] = [];
  for (let at = nextOccurrence(text, wanted, 0); at !== -1; at = nextOccurrence(text, wanted, at + wanted.length))
    found.push(at);
  const [only = -1] = found;
  const second = replaceAll || found.length !== 1 ? -1 : nextOccurrence(text, wanted, only + 1);
  return second === -1 ? found : [only, second];
}
