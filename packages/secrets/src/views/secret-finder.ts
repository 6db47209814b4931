import type { PatternAutomaton } from "../masker/pattern-automaton.ts";
import type { ByteSink } from "./byte-sink.ts";

/** Data for finding secrets in decoded text, and a function that receives the ranges of found secrets. */
export interface Search {
  /**
   * Automaton that finds the normal forms of the secrets in a sequence of bytes. A normal form has no escapes, line
   * ends, quotes and backslashes, see `normalForm`.
   */
  readonly automaton: PatternAutomaton;
  /** Table indexed by byte value: 1 if a secret starts with this byte. */
  readonly first: Uint8Array;
  /**
   * Tables for each depth of nested encodings, indexed by byte value: 1 if a secret, or its encoded form, may start
   * with this byte.
   */
  readonly begins: readonly Uint8Array[];
  /** True if secrets contain non-ASCII characters. */
  readonly isWide: boolean;
  /** Length of the longest normal form that the automaton finds, in bytes. */
  readonly longest: number;
  /** Receives the range of the original text in which a secret was found. */
  report(start: number, end: number): void;
}

/** Finds secrets in a stream of decoded bytes, and reports the ranges of the original text that encode them. */
export class SecretFinder implements ByteSink {
  readonly #search: Search;
  readonly #starts: Float64Array;
  readonly #mask: number;
  #state = 0;
  #count = 0;

  constructor(search: Search) {
    const size = 2 ** Math.ceil(Math.log2(search.longest + 1));
    this.#search = search;
    this.#starts = new Float64Array(size);
    this.#mask = size - 1;
  }

  push(byte: number, start: number, end: number): void {
    if (this.#state === 0 && this.#search.first[byte] !== 1) return;
    const { automaton, report } = this.#search;
    this.#state = automaton.next(this.#state, byte);
    if (this.#state === 0) return;
    this.#starts[this.#count & this.#mask] = start;
    this.#count += 1;
    const length = automaton.matched(this.#state);
    if (length > 0) report(this.#startOf(length), end);
  }

  interrupt(): void {
    this.#state = 0;
  }

  isIdle(): boolean {
    return this.#state === 0;
  }

  pendingFrom(): number {
    const depth = this.#search.automaton.depth(this.#state);
    return depth === 0 ? Number.POSITIVE_INFINITY : this.#startOf(depth);
  }

  #startOf(length: number): number {
    return this.#starts[(this.#count - length) & this.#mask] ?? 0;
  }
}
