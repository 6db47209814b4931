/** A range of a text that contains one or more secrets. Positions are in UTF-16 units; the end is exclusive. */
interface Stretch {
  start: number;
  end: number;
}

/** Options of a replacement. */
export interface ReplaceOptions {
  /** Position of the first UTF-16 unit of the given text. */
  readonly base: number;
  /** Position at which the returned text ends. */
  readonly limit: number;
  /** Replacement text of a range. */
  readonly marker: string;
}

/**
 * Ranges of a text that will be replaced, in order. Overlapping ranges are merged, so that each is replaced completely.
 */
export class SpanList {
  #stretches: Stretch[] = [];

  /** Adds a range. */
  add(start: number, end: number): void {
    const stretches = this.#stretches;
    let to = stretches.length;
    while (to > 0 && (stretches[to - 1]?.start ?? 0) >= end) to -= 1;
    let from = to;
    let joined: Stretch = { start, end };
    while (from > 0 && (stretches[from - 1]?.end ?? 0) > start) {
      from -= 1;
      const { start: first = start, end: last = end } = stretches[from] ?? {};
      joined = { start: Math.min(joined.start, first), end: Math.max(joined.end, last) };
    }
    stretches.splice(from, to - from, joined);
  }

  /**
   * Returns the text up to a limit, with each range replaced. If a range extends beyond the limit, the part after the
   * limit stays in the list.
   */
  replace(text: string, { base, limit, marker }: ReplaceOptions): string {
    if (this.#stretches.length === 0) return text.slice(0, limit - base);
    let output = "";
    let position = base;
    let removed = 0;
    for (const { start, end } of this.#stretches) {
      if (end > limit) break;
      output += text.slice(position - base, start - base) + marker;
      position = end;
      removed += 1;
    }
    // If an earlier call replaced the first part of a range, the rest is removed without a second marker.
    const stop = Math.min(limit, this.#stretches[removed]?.start ?? limit);
    if (position < stop) output += text.slice(position - base, stop - base);
    this.#stretches = this.#stretches.slice(removed).map(({ start, end }) => ({ start: Math.max(start, limit), end }));
    return output;
  }
}
