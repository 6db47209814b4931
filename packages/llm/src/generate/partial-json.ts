/** Parser for an incomplete JSON text. */
export interface PartialJson {
  /** Adds a chunk. */
  add(piece: string): void;
  /**
   * Returns the value so far: incomplete strings are included, incomplete numbers and names omitted. `undefined` if
   * there is nothing yet or the text is not JSON.
   */
  value(): unknown;
  /** Number of characters of the JSON text that have arrived. */
  readonly length: number;
}

/** Parses a JSON object or array while its text is still arriving. Text before the first bracket is ignored. */
class PartialReader implements PartialJson {
  #text = "";
  /** Closing brackets for the brackets that are open, innermost last. */
  readonly #closers: string[] = [];
  /** Length of the beginning of the text that becomes valid JSON if the open brackets are closed. */
  #safe = 0;
  #isInString = false;
  #isKey = false;
  /** Index at which an incomplete escape sequence of a string starts. -1 if there is none. */
  #escapeAt = -1;
  #isOver = false;
  #hasScalar = false;

  get length(): number {
    return this.#text.length;
  }

  add(piece: string): void {
    for (const character of piece) {
      if (this.#isOver) return;
      if (this.#text === "" && character !== "{" && character !== "[") continue;
      this.#text += character;
      if (this.#isInString) this.#addToString(character);
      else this.#addOutside(character);
    }
  }

  #addToString(character: string): void {
    if (this.#escapeAt !== -1) {
      const escaped = this.#text.slice(this.#escapeAt + 1);
      if (!escaped.startsWith("u") || escaped.length === 5) this.#escapeAt = -1;
    } else if (character === "\\") {
      this.#escapeAt = this.#text.length - 1;
    } else if (character === '"') {
      this.#isInString = false;
      if (!this.#isKey) this.#safe = this.#text.length;
    }
  }

  #addOutside(character: string): void {
    switch (character) {
      case '"':
        this.#isInString = true;
        return;
      case "{":
      case "[":
        this.#closers.push(character === "{" ? "}" : "]");
        this.#isKey = character === "{";
        this.#safe = this.#text.length;
        return;
      case "}":
      case "]":
        this.#closers.pop();
        this.#isKey = false;
        this.#hasScalar = false;
        this.#safe = this.#text.length;
        this.#isOver = this.#closers.length === 0;
        return;
      case ":":
        this.#isKey = false;
        return;
      case ",":
        if (this.#hasScalar) this.#safe = this.#text.length - 1;
        this.#hasScalar = false;
        this.#isKey = this.#closers.at(-1) === "}";
        return;
      default:
        this.#hasScalar ||= character.trim() !== "";
    }
  }

  /** Returns the beginning of the text that becomes valid JSON if the open brackets are closed. */
  #closed(): string {
    const closers = this.#closers.toReversed().join("");
    if (!this.#isInString || this.#isKey) return this.#text.slice(0, this.#safe) + closers;
    const end = this.#escapeAt === -1 ? this.#text.length : this.#escapeAt;
    return `${this.#text.slice(0, end)}"${closers}`;
  }

  value(): unknown {
    if (this.#text === "") return undefined;
    try {
      const value: unknown = JSON.parse(this.#closed());
      return value;
    } catch {
      return undefined;
    }
  }
}

/** Creates a parser for a JSON value whose text is still arriving. */
export function createPartialJson(): PartialJson {
  return new PartialReader();
}
