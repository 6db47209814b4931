import type { PatternAutomaton } from "../masker/pattern-automaton.ts";
import type { ByteSink } from "./byte-sink.ts";

/** What a view looks for, and where it reports what it has found. */
export interface Search {
  /** Automaton of the secrets' normal forms, over bytes. */
  readonly automaton: PatternAutomaton;
  /** 1 for each byte that a normal form begins with. */
  readonly first: Uint8Array;
  /** 1 for each byte that a secret, or an encoding of it, may begin with, by depth. */
  readonly begins: readonly Uint8Array[];
  /** Secrets have other characters than ASCII. */
  readonly isWide: boolean;
  /** Length of the longest normal form. */
  readonly longest: number;
  /** Takes the part of the original text that a secret was found in. */
  report(start: number, end: number): void;
}

/** Finds secrets in a stream of bytes and reports the parts of the original text that they come from. */
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

  heldFrom(): number {
    const depth = this.#search.automaton.depth(this.#state);
    return depth === 0 ? Number.POSITIVE_INFINITY : this.#startOf(depth);
  }

  #startOf(length: number): number {
    return this.#starts[(this.#count - length) & this.#mask] ?? 0;
  }
}
