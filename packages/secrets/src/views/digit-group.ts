import { classAt, HEX, LINE_END, SEPARATOR, WORD } from "./character-classes.ts";

/** Value of `start` if there is no group. */
const NONE = -1;
const SPACE = 0x20;
const LETTER_X = 0x78;
/** Minimum number of digits of a secret in a hex dump. */
const MIN_DIGITS = 16;
const MAX_SEPARATORS = 80;

/** Returns whether the character before an index is a `0` at the start of a word. */
function followsZero(chunk: string, index: number): boolean {
  return chunk[index - 1] === "0" && (index === 1 || (classAt(chunk, index - 2) & WORD) === 0);
}

/**
 * Finds groups of hex digits that may encode a secret, such as the bytes of a hex dump. The characters of a chunk are
 * added in order: each hex digit, and while there is a group, each other character.
 */
export class DigitGroup {
  /** Index at which the group starts. Negative: there is no group. */
  start: number = NONE;
  #digits = 0;
  /** Number of other characters since the last digit. */
  #separators = 0;
  /** Number of hex digits in the last token. */
  #token = 0;
  /** Index at which the last token starts. */
  #offset: number;
  /** Number of blanks after the last token. Line ends may occur anywhere, and are not counted. */
  #blanks = 0;

  /** Creates an object without a group. `from` is the index of the first character that can be added. */
  constructor(from: number) {
    this.#offset = from;
  }

  /**
   * Adds a hex digit. `before` is the class of the character before it. Returns true if the digits must be decoded,
   * because there are enough of them for a secret.
   */
  addDigit(index: number, before: number): boolean {
    if ((before & HEX) === 0 && ((before & LINE_END) === 0 || this.#blanks > 0)) this.#token = 0;
    if (this.#token === 0) this.#offset = index;
    this.#token += 1;
    this.#blanks = 0;
    if (this.start < 0 && (before & WORD) === 0) {
      this.start = index;
      this.#digits = 0;
    }
    this.#digits += 1;
    this.#separators = 0;
    return this.#digits >= MIN_DIGITS && this.start >= 0;
  }

  /**
   * Adds a character of another class to the group, which may end the group. Returns true if the text must be decoded,
   * because the group starts like a line of a hex dump.
   */
  addOther(chunk: string, index: number, kind: number): boolean {
    const unit = chunk.charCodeAt(index);
    this.#separators += 1;
    this.#blanks += (kind & LINE_END) === 0 ? 1 : 0;
    // The `x` in `0x73`, a byte in a list, does not end the group of digits.
    const isPrefix = unit === LETTER_X && followsZero(chunk, index);
    if (((kind & SEPARATOR) === 0 && !isPrefix) || this.#separators > MAX_SEPARATORS) {
      this.start = NONE;
      return false;
    }
    // An offset and two spaces suffice to start decoding, because `od -c` lines contain few other digits.
    if (unit !== SPACE || this.#blanks !== 2) return false;
    return this.#token >= 7 || (this.#token === 6 && chunk.startsWith("00", this.#offset));
  }
}
