/** Buffer of unread output. When it is full, the oldest output is dropped. */
export class RecentOutput {
  readonly #maxChars: number;
  #text = "";
  #droppedChars = 0;

  /** Creates a buffer that holds at most this many characters (UTF-16 code units). */
  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Adds output. */
  write(text: string): void {
    this.#text += text;
    // Truncates only at twice the limit: truncating after each chunk would copy the complete text every time.
    if (this.#text.length > 2 * this.#maxChars) this.#cut();
  }

  /** Returns the output since the last call, and how many characters at its beginning were dropped. */
  take(): { readonly text: string; readonly droppedChars: number } {
    this.#cut();
    const output = { text: this.#text, droppedChars: this.#droppedChars };
    this.#text = "";
    this.#droppedChars = 0;
    return output;
  }

  #cut(): void {
    const excess = this.#text.length - this.#maxChars;
    if (excess <= 0) return;
    // Starting with the second half of a surrogate pair would produce an invalid character.
    const first = this.#text.charCodeAt(excess);
    const start = first >= 0xdc00 && first <= 0xdfff ? excess + 1 : excess;
    this.#droppedChars += start;
    this.#text = this.#text.slice(start);
  }
}
