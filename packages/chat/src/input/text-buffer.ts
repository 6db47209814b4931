/** Maximum length of the text, in UTF-16 code units. Input that exceeds it is not inserted. */
const MAX_CHARS = 1_000_000;

/** Text with a cursor. Positions and lengths are UTF-16 code units. */
export class TextBuffer {
  #text = "";
  #cursor = 0;

  /** The whole text. */
  get text(): string {
    return this.#text;
  }

  /** Position of the cursor. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Text before the cursor. */
  get before(): string {
    return this.#text.slice(0, this.#cursor);
  }

  /** Text after the cursor. */
  get after(): string {
    return this.#text.slice(this.#cursor);
  }

  /** Position at which the line of the cursor starts. */
  get lineStart(): number {
    return this.before.lastIndexOf("\n") + 1;
  }

  /** Position at which the line of the cursor ends. */
  get lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#cursor);
    return end === -1 ? this.#text.length : end;
  }

  /** Replaces the text and moves the cursor. */
  set(text: string, cursor: number): void {
    this.#text = text;
    this.moveTo(cursor);
  }

  /** Moves the cursor to a position, or to the end of the text that is nearest to it. */
  moveTo(position: number): void {
    this.#cursor = Math.max(0, Math.min(this.#text.length, position));
  }

  /** Moves the cursor by a distance, backwards if it is negative. */
  moveBy(distance: number): void {
    this.moveTo(this.#cursor + distance);
  }

  /** Inserts text before the cursor. Does nothing if the text would become too long. */
  insert(added: string): void {
    if (this.#text.length + added.length > MAX_CHARS) return;
    this.#text = this.before + added + this.after;
    this.#cursor += added.length;
  }

  /** Removes the text between two positions and moves the cursor there. */
  cut(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + this.#text.slice(end);
    this.#cursor = start;
  }
}
