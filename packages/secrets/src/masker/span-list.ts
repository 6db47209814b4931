/** A stretch of secrets, from its first unit to the one after its last. */
interface Stretch {
  start: number;
  end: number;
}

/** Which text is given out. */
export interface ReplaceOptions {
  /** Position of the first unit of the text. */
  readonly base: number;
  /** Position up to which it is given out. */
  readonly limit: number;
  /** Text that replaces a stretch. */
  readonly marker: string;
}

/** The parts of a text to be replaced, in order. Those that overlap are one, so that no end of either is left over. */
export class SpanList {
  #stretches: Stretch[] = [];

  /** Adds a part. */
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

  /** Returns the text up to a limit with each part replaced; a part that goes beyond it keeps its rest. */
  replace(text: string, { base, limit, marker }: ReplaceOptions): string {
    if (this.#stretches.length === 0) return text.slice(0, limit - base);
    let output = "";
    let position = base;
    let taken = 0;
    for (const { start, end } of this.#stretches) {
      if (end > limit) break;
      output += text.slice(position - base, start - base) + marker;
      position = end;
      taken += 1;
    }
    // The text of a part that goes beyond the limit is hidden already.
    const stop = Math.min(limit, this.#stretches[taken]?.start ?? limit);
    if (position < stop) output += text.slice(position - base, stop - base);
    this.#stretches = this.#stretches.slice(taken).map(({ start, end }) => ({ start: Math.max(start, limit), end }));
    return output;
  }
}
