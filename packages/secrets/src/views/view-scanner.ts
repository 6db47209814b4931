import { buildPatternAutomaton } from "../masker/pattern-automaton.ts";
import { decodesToText } from "./base64-reader.ts";
import { findBeginnings } from "./beginnings.ts";
import { createView, endsWithin, MAX_DEPTH, type View } from "./create-view.ts";
import type { Search } from "./secret-finder.ts";

const ENCODING = 1;
const WORD = 2;
const HEX = 4;
const SEPARATOR = 8;
const LINE_END = 16;
const WAKES = 32;
const FIRST = 64;
/** Between the characters of a secret views pass over it, or it begins an escape. */
const SKIPPED = 128;
/** No word or region has begun; a word whose beginning has been looked at. */
const NONE = -1;
const SEEN = -2;
const TAB = 0x09;
const SPACE = 0x20;
const LETTER_X = 0x78;
/** Characters of base64, and digits of a dump, that the shortest secret takes. */
const MIN_BASE64 = 11;
const MIN_DIGITS = 16;
const MAX_SEPARATORS = 80;
/** Characters by which the beginning of a secret is told from other text. */
const MAX_COMPARED = 6;

function classify(): Uint8Array {
  const classes = new Uint8Array(128);
  const add = (texts: string, kind: number): void => {
    for (const text of texts) classes[text.charCodeAt(0)] = (classes[text.charCodeAt(0)] ?? 0) | kind;
  };
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", ENCODING | WORD);
  add("+/-_", ENCODING);
  add("0123456789abcdefABCDEF", HEX);
  add(" ,:;-[](){}\"'\n\r\t|<>", SEPARATOR);
  add("\n\r", LINE_END);
  add("\\%&^\u001b", WAKES | SKIPPED);
  add("\n\r\"'\u0007", SKIPPED);
  return classes;
}

const CLASSES = classify();

/** Which two characters a secret begins with; others in a row need no further look. */
function beginningsOf(forms: Iterable<string>): { pairs: Uint8Array; hasWide: boolean } {
  const pairs = new Uint8Array(128 * 128);
  let hasWide = false;
  for (const form of forms) {
    const [first, second] = [form.charCodeAt(0), form.charCodeAt(1)];
    if (first > 127 || second > 127) hasWide = true;
    if (first < 128 && second < 128) pairs[first * 128 + second] = 1;
  }
  return { pairs, hasWide };
}

/** True if the characters at a place may be base64 of text. */
function mayEncode(chunk: string, from: number): boolean {
  const group = chunk.slice(from, from + 4);
  // A line end in it is the view's to judge.
  return !/^[A-Za-z0-9+/_-]{4}$/.test(group) || decodesToText(group);
}

/** What a scanner looks for. */
export interface ScannerSearch extends Omit<Search, "report"> {
  /** What each character of ASCII may be the beginning of. */
  readonly classes: Uint8Array;
  /** The same of characters beyond ASCII. */
  readonly wide: number;
  /** Which two characters of ASCII a secret begins with. */
  readonly pairs: Uint8Array;
  /** Secrets that have been found, with the character after them: true if no other one begins inside and continues. */
  readonly closed: Map<string, boolean>;
}

/** Prepares the search for normal forms. */
export function buildScannerSearch(forms: ReadonlySet<string>): ScannerSearch {
  const first = new Uint8Array(256);
  for (const form of forms) first[form.charCodeAt(0)] = 1;
  const { pairs, hasWide } = beginningsOf(forms);
  const isWide = [...forms].some((form) => /[^\0-\x7f]/.test(form));
  return {
    automaton: buildPatternAutomaton(forms),
    first,
    begins: findBeginnings(first, isWide, MAX_DEPTH),
    isWide,
    longest: Math.max(...[...forms].map((form) => form.length)),
    classes: CLASSES.map((kind, unit) => (first[unit] === 1 ? kind | FIRST : kind)),
    wide: hasWide ? WORD | WAKES : WORD,
    pairs,
    closed: new Map(),
  };
}

/**
 * Looks at a text through a view only where it may matter: at escapes, at the beginning of a secret, in long words and
 * among digits. Ordinary text is passed over by a table.
 */
export class ViewScanner {
  readonly #search: ScannerSearch;
  readonly #view: View;
  readonly #classes: Uint8Array;
  readonly #pairs: Uint8Array;
  /** Class of characters beyond ASCII. */
  readonly #wide: number;
  /** End of each secret that was found in the piece already, by its start. */
  #known: ReadonlyMap<number, number> = new Map();
  #isAwake = false;
  /** Where the view has seen everything up to. */
  #seen = -1;
  /** Class of the last character that was passed over. */
  #last = 0;
  /** Position of the first character of the current line, up to the end of the last piece. */
  #lineStart = 0;

  constructor(search: ScannerSearch, report: Search["report"]) {
    this.#search = search;
    this.#view = createView({ ...search, report });
    this.#classes = search.classes;
    this.#pairs = search.pairs;
    this.#wide = search.wide;
  }

  /** Takes a piece of text whose first unit has the position `base`, with the ends of the secrets known in it. */
  push(chunk: string, base: number, known: ReadonlyMap<number, number>): void {
    let index = 0;
    this.#known = known;
    while (index < chunk.length)
      index = this.#isAwake ? this.#look(chunk, index, base) : this.#pass(chunk, index, base);
    this.#lineStart = this.#lineStartAt(chunk, chunk.length, base);
  }

  /** Ends the text. */
  end(): void {
    this.#view.interrupt();
    this.#isAwake = false;
    this.#last = 0;
  }

  /** Position of the first unit that may still become part of a secret; `Infinity` if there is none. */
  heldFrom(): number {
    return this.#isAwake ? this.#view.heldFrom() : Number.POSITIVE_INFINITY;
  }

  /** Looks at units until there is nothing to see. */
  #look(chunk: string, from: number, base: number): number {
    let index = from;
    while (index < chunk.length) {
      const unit = chunk.charCodeAt(index);
      this.#view.push(unit, base + index, base + index + 1);
      this.#last = unit < 128 ? (CLASSES[unit] ?? 0) : WORD;
      index += 1;
      if (this.#view.isIdle()) {
        this.#isAwake = false;
        this.#seen = base + index;
        break;
      }
    }
    return index;
  }

  #wake(chunk: string, from: number, base: number): number {
    this.#isAwake = true;
    if (base + from === this.#seen) return this.#look(chunk, from, base);
    const kind = from === 0 ? this.#last : this.#classAt(chunk, from - 1);
    this.#view.resume({
      isInEncoding: (kind & ENCODING) !== 0,
      isInWord: (kind & WORD) !== 0,
      column: base + from - this.#lineStartAt(chunk, from, base),
    });
    return this.#look(chunk, from, base);
  }

  /** Position of the first character of a line. */
  #lineStartAt(chunk: string, index: number, base: number): number {
    const newline = index === 0 ? -1 : chunk.lastIndexOf("\n", index - 1);
    return newline === -1 ? this.#lineStart : base + newline + 1;
  }

  /** Passes over units up to one that the view must look at. */
  #pass(chunk: string, from: number, base: number): number {
    const classes = this.#classes;
    const { length } = chunk;
    let kind = this.#last;
    // A word that has begun earlier has been looked at.
    let word = (kind & ENCODING) === 0 ? NONE : SEEN;
    let letters = 0;
    let region = NONE;
    let digits = 0;
    // Hex digits of the last token, and blanks after it; line ends may be anywhere.
    let token = 0;
    let blanks = 0;
    let separators = 0;
    for (let index = from; index < length; index += 1) {
      const unit = chunk.charCodeAt(index);
      const next = unit < 128 ? (classes[unit] ?? 0) : this.#wide;
      if ((next & (WAKES | FIRST)) !== 0 && this.#mustLook(chunk, index, next)) {
        const end = word < 0 && region < 0 ? this.#endOfKnown(chunk, index, base) : undefined;
        if (end !== undefined) {
          this.#last = this.#classAt(chunk, end - 1);
          return end;
        }
        return this.#wakeAt(chunk, [word, region, index], base);
      }
      if ((next & ENCODING) !== 0) {
        if (word === NONE) {
          word = index;
          letters = 0;
        }
        letters += 1;
        if (letters === MIN_BASE64 && word >= 0) {
          if (mayEncode(chunk, word)) return this.#wakeAt(chunk, [word, region, index], base);
          word = SEEN;
        }
      } else if ((next & LINE_END) !== 0) {
        if (word === SEEN) word = NONE;
      } else if (unit !== SPACE || (kind & LINE_END) === 0) word = NONE;
      if ((next & HEX) !== 0) {
        if ((kind & HEX) === 0 && ((kind & LINE_END) === 0 || blanks > 0)) token = 0;
        token += 1;
        blanks = 0;
        if (region < 0 && (kind & WORD) === 0) {
          region = index;
          digits = 0;
        }
        digits += 1;
        separators = 0;
        if (digits >= MIN_DIGITS && region >= 0) return this.#wakeAt(chunk, [word, region, index], base);
      } else if (region >= 0) {
        separators += 1;
        blanks += (next & LINE_END) === 0 ? 1 : 0;
        // `0x73` is a byte of a list.
        const isPrefix = unit === LETTER_X && this.#followsZero(chunk, index);
        if (((next & SEPARATOR) === 0 && !isPrefix) || separators > MAX_SEPARATORS) region = NONE;
        // Columns of characters have few digits but those of the offset.
        else if (unit === SPACE && blanks === 2 && token >= 7) {
          return this.#wakeAt(chunk, [word, region, index], base);
        }
      }
      if (unit !== SPACE || (kind & LINE_END) === 0) kind = next;
    }
    if (word >= 0 || region >= 0) return this.#wakeAt(chunk, [word, region], base);
    this.#last = kind;
    return length;
  }

  /** True after a zero that begins a word. */
  #followsZero(chunk: string, index: number): boolean {
    return chunk[index - 1] === "0" && (index === 1 || (this.#classAt(chunk, index - 2) & WORD) === 0);
  }

  #classAt(chunk: string, index: number): number {
    const unit = chunk.charCodeAt(index);
    return unit < 128 ? (CLASSES[unit] ?? 0) : WORD;
  }

  /** End of a secret that begins here and was found already, if nothing in it needs a further look. */
  #endOfKnown(chunk: string, index: number, base: number): number | undefined {
    const end = this.#known.get(base + index);
    if (end === undefined || end - base >= chunk.length) return undefined;
    const { closed } = this.#search;
    const text = chunk.slice(index, end - base + 1);
    const isClosed = closed.get(text) ?? endsWithin({ ...this.#search, report: () => undefined }, text);
    closed.set(text, isClosed);
    return isClosed ? end - base : undefined;
  }

  /** True at an escape, and where a secret may begin. */
  #mustLook(chunk: string, index: number, kind: number): boolean {
    if ((kind & WAKES) !== 0 || index + 1 >= chunk.length) return true;
    const after = chunk.charCodeAt(index + 1);
    if (after >= 128) return true;
    const isSkipped = ((CLASSES[after] ?? 0) & SKIPPED) !== 0;
    const isPair = this.#pairs[chunk.charCodeAt(index) * 128 + (after === TAB ? SPACE : after)] === 1;
    return (isSkipped || isPair) && this.#beginsForm(chunk, index);
  }

  /** True unless a few characters say that no secret begins here. Passes over what views pass over. */
  #beginsForm(chunk: string, from: number): boolean {
    const { automaton } = this.#search;
    let [state, compared, isAfterNewline] = [0, 0, false];
    for (let index = from; index < chunk.length; index += 1) {
      const unit = chunk.charCodeAt(index);
      const kind = CLASSES[unit] ?? WAKES;
      if ((kind & WAKES) !== 0) return true;
      isAfterNewline = (kind & LINE_END) !== 0 || (isAfterNewline && (unit === SPACE || unit === TAB));
      if (isAfterNewline || (kind & SKIPPED) !== 0) continue;
      state = automaton.next(state, unit === TAB ? SPACE : unit);
      compared += 1;
      if (automaton.depth(state) !== compared) return false;
      if (compared === MAX_COMPARED) return true;
    }
    return true;
  }

  /** Wakes the view at the first of the places that there are. */
  #wakeAt(chunk: string, places: readonly number[], base: number): number {
    return this.#wake(chunk, Math.min(...places.filter((place) => place >= 0)), base);
  }
}
