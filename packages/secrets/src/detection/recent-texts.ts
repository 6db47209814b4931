/** Maximum length of a remembered text, in UTF-16 units. */
const MAX_LENGTH = 128;
/** Number of texts after which the older ones are forgotten. */
const MAX_TEXTS = 1_000;

/**
 * Results for short texts that were used recently, such as the names of fields, which occur in every event and every
 * model call. Stores at most 2,000 texts of at most 128 characters.
 */
export class RecentTexts<T> {
  #newer = new Map<string, T>();
  #older = new Map<string, T>();

  /** Returns the stored result for a text. `undefined` if there is none. */
  get(text: string): T | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const found = this.#newer.get(text);
    if (found !== undefined) return found;
    const older = this.#older.get(text);
    if (older !== undefined) this.#add(text, older);
    return older;
  }

  /** Stores the result for a text, unless the text is too long. */
  set(text: string, result: T): void {
    if (text.length <= MAX_LENGTH) this.#add(text, result);
  }

  #add(text: string, result: T): void {
    this.#newer.set(text, result);
    if (this.#newer.size < MAX_TEXTS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
