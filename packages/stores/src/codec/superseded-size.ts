import type { NamedChange } from "./slice-delta.ts";

/** A checkpoint log is rewritten only if at least this many of its characters belong to outdated checkpoints. */
const FREE_CHARACTERS = 1024 * 1024;

/** Estimated state of one value in the log. */
interface Weighed {
  /** Number of characters of the log that are needed to read the value. */
  readonly characters: number;
  /**
   * Current number of items, if the value is a list to which items were only appended since it was set. `undefined` for
   * other lists and other values. A change is recognised as an append if it keeps this number of items.
   */
  readonly length: number | undefined;
}

/**
 * Estimates how much of a checkpoint log is superseded by later lines. The log is rewritten when the superseded part
 * becomes larger than the rest.
 */
export class SupersededSize {
  readonly #parts = new Map<string, Weighed>();
  #living = 0;
  #superseded = 0;

  /** Creates the estimate for an existing log whose length is known, but not how much of its content is superseded. */
  constructor(characters = 0) {
    this.#living = characters;
  }

  /** True if the superseded part of the log is larger than a complete checkpoint would be. */
  get isTopHeavy(): boolean {
    return this.#superseded > Math.max(FREE_CHARACTERS, this.#living);
  }

  /** Counts a stored change. */
  add({ room, name, change }: NamedChange, characters: number): void {
    const key = `${room}.${name}`;
    const before = this.#parts.get(key);
    if ("items" in change && change.keepLast === undefined && (before === undefined || before.length === change.keep)) {
      this.#hold(key, {
        characters: (before?.characters ?? 0) + characters,
        length: before?.length === undefined && change.keep > 0 ? undefined : change.keep + change.items.length,
      });
    } else if (!("set" in change || "deleted" in change)) {
      // It is unknown how much old text the change supersedes. The estimate is the size of the change.
      this.#superseded += characters;
      if (before !== undefined) this.#hold(key, { ...before, length: undefined });
    } else {
      this.#superseded += before?.characters ?? 0;
      const length = "set" in change && Array.isArray(change.set) ? change.set.length : undefined;
      this.#hold(key, { characters: "set" in change ? characters : 0, length });
    }
  }

  /** Counts text that each new checkpoint supersedes, such as the header of the previous one. */
  addFleeting(characters: number): void {
    this.#superseded += characters;
  }

  #hold(key: string, weighed: Weighed): void {
    this.#living += weighed.characters - (this.#parts.get(key)?.characters ?? 0);
    this.#parts.set(key, weighed);
  }
}
