import type { NamedChange } from "./slice-delta.ts";

/** Characters of superseded text that a log may always hold. */
const FREE_CHARACTERS = 1024 * 1024;

interface Weighed {
  readonly characters: number;
  /** Items, when it is a list that was only set or appended to. */
  readonly length: number | undefined;
}

/** Estimates how much of a log of checkpoints was superseded, so that it is written afresh before that outweighs the rest. */
export class LogWeight {
  readonly #parts = new Map<string, Weighed>();
  #living = 0;
  #superseded = 0;

  /** Begins with a log of that length whose parts are not known. */
  constructor(characters = 0) {
    this.#living = characters;
  }

  /** Whether a whole record would take less than what the log carries along. */
  get isTopHeavy(): boolean {
    return this.#superseded > Math.max(FREE_CHARACTERS, this.#living);
  }

  /** Counts a change that was kept. */
  add({ room, name, change }: NamedChange, characters: number): void {
    const key = `${room}.${name}`;
    const before = this.#parts.get(key);
    if ("items" in change && change.keepLast === undefined && (before === undefined || before.length === change.keep)) {
      this.#hold(key, {
        characters: (before?.characters ?? 0) + characters,
        length: before?.length === undefined && change.keep > 0 ? undefined : change.keep + change.items.length,
      });
    } else if (!("set" in change || "deleted" in change)) {
      // Which part of the old text it takes the place of is not known; as much as it has itself.
      this.#superseded += characters;
      if (before !== undefined) this.#hold(key, { ...before, length: undefined });
    } else {
      this.#superseded += before?.characters ?? 0;
      const length = "set" in change && Array.isArray(change.set) ? change.set.length : undefined;
      this.#hold(key, { characters: "set" in change ? characters : 0, length });
    }
  }

  /** Counts text that the next record supersedes. */
  addFleeting(characters: number): void {
    this.#superseded += characters;
  }

  #hold(key: string, weighed: Weighed): void {
    this.#living += weighed.characters - (this.#parts.get(key)?.characters ?? 0);
    this.#parts.set(key, weighed);
  }
}
