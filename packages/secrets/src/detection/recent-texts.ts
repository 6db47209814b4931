/** Maximum length of a text whose result is stored, in UTF-16 units. */
const MAX_LENGTH = 128;
/** Size at which the map of newer texts becomes the map of older texts. The previous older texts are forgotten. */
const MAX_TEXTS = 500;
/** Number of slots in the hash table of `RecentTexts`. A power of two, because indexes are computed with a bit mask. */
const HASHES = 1024;

/** Returns a hash of a text: an integer other than 0. */
function hashOf(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return (hash | 1) >>> 0;
}

/**
 * Returns a copy of a text that shares no memory with other texts. In V8, a part of a long text, such as a match of a
 * regular expression, keeps the long text in memory.
 */
function copyOf(text: string): string {
  return String.fromCharCode(...Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)));
}

/**
 * Cache of results for short texts that occur often, such as the names of fields, which every event and every model
 * call contain. A result is stored only when `set` is called for the same text a second time, because most other short
 * texts, such as ids and times, never occur again. Stores copies of at most 1,000 texts of at most 128 characters each.
 * The texts may be secret, so each redactor and each masker must have its own cache.
 */
export class RecentTexts<T> {
  #newer = new Map<string, T>();
  #older = new Map<string, T>();
  /**
   * Hash table of the texts for which `set` was called once. A hash can be in either of two adjacent slots. With one
   * slot per hash, two frequent texts with the same slot would evict each other at every call. `undefined` before the
   * first call of `set`.
   */
  #once: Uint32Array | undefined;

  /** Returns the stored result for a text. `undefined` if there is none. */
  get(text: string): T | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const found = this.#newer.get(text);
    if (found !== undefined) return found;
    const older = this.#older.get(text);
    if (older !== undefined) this.#add(text, older);
    return older;
  }

  /**
   * Stores the result for a text, unless the text is too long. The first call for a text only notes its hash, because
   * most short texts occur only once. The second call stores the result.
   */
  set(text: string, result: T): void {
    if (text.length > MAX_LENGTH) return;
    this.#once ??= new Uint32Array(HASHES);
    const hash = hashOf(text);
    const index = hash & (HASHES - 2);
    if (this.#once[index] === hash || this.#once[index + 1] === hash) this.#add(text, result);
    else {
      this.#once[index + 1] = this.#once[index] ?? 0;
      this.#once[index] = hash;
    }
  }

  #add(text: string, result: T): void {
    this.#newer.set(copyOf(text), result);
    if (this.#newer.size < MAX_TEXTS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
