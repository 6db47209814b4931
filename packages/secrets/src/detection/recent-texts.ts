/** Maximum length of a remembered text, in UTF-16 units. */
const MAX_LENGTH = 128;
/** Number of texts after which the older ones are forgotten. */
const MAX_TEXTS = 1_000;

/**
 * Returns a copy of a text that shares no memory with other texts. In V8, a part of a long text, such as a match of a
 * regular expression, keeps the long text in memory.
 */
function copyOf(text: string): string {
  return String.fromCharCode(...Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)));
}

/**
 * Results for short texts that were used recently, such as the names of fields, which occur in every event and every
 * model call. Stores copies of at most 2,000 texts of at most 128 characters each. The texts may be secret, so each
 * redactor and each masker must have its own object.
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
    this.#newer.set(copyOf(text), result);
    if (this.#newer.size < MAX_TEXTS) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }
}
