/** Text that came and that nobody has asked for yet; past its size the oldest is dropped. */
export class RecentOutput {
  readonly #maxChars: number;
  #text = "";
  #droppedChars = 0;

  /** Makes an empty one that holds at most so many characters (UTF-16 code units). */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Adds what came. */
  write(text: string): void {
    this.#text += text;
    // Cut at twice the size only: cutting at each piece would copy the whole text for each of them.
    if (this.#text.length > 2 * this.#maxChars) this.#cut();
  }

  /** Everything since the last time, and how much of its beginning is missing. */
  take(): { readonly text: string; readonly droppedChars: number } {
    this.#cut();
    const taken = { text: this.#text, droppedChars: this.#droppedChars };
    this.#text = "";
    this.#droppedChars = 0;
    return taken;
  }

  #cut(): void {
    const excess = this.#text.length - this.#maxChars;
    if (excess <= 0) return;
    // Half of a surrogate pair is none of the text.
    const first = this.#text.charCodeAt(excess);
    const start = first >= 0xdc00 && first <= 0xdfff ? excess + 1 : excess;
    this.#droppedChars += start;
    this.#text = this.#text.slice(start);
  }
}
