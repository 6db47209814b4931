import { buildPatternAutomaton } from "../masker/pattern-automaton.ts";
import { BASE64_GROUPS, BASE64_VALUES, decodesToText } from "./base64-reader.ts";
import { findBeginnings } from "./beginnings.ts";
import { createView, endsWithin, MAX_DEPTH, type View } from "./create-view.ts";
import { EncodedRuns } from "./encoded-runs.ts";
import { HEX_GROUPS, HEX_VALUES } from "./hex-reader.ts";
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
/** Characters of a run that were passed over before its last one, and characters that are looked at to find them. */
const MAX_BEFORE: number = Math.max(BASE64_GROUPS.length, HEX_GROUPS.length) - 1;
const MAX_BETWEEN = 80;
/** Characters of the shortest run. */
const MIN_RUN: number = Math.min(BASE64_GROUPS.length, HEX_GROUPS.length);

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
  /** Position of the first unit of the piece. */
  #base = 0;
  #isAwake = false;
  /** Where the view has seen everything up to. */
  #seen = -1;
  /** Where the last escape begins that the view has looked at. */
  #escape = Number.NEGATIVE_INFINITY;
  /** Class of the last character that was passed over. */
  #last = 0;
  /** Position of the first character of the current line, up to the end of the last piece. */
  #lineStart = 0;
  /** The line that was looked at last: its start, and its end up to which it is known. */
  #line = { start: 0, next: 0 };
  /** True if the runs have taken the word under way. */
  #hasRuns = false;
  readonly #base64Runs = new EncodedRuns(BASE64_GROUPS);
  readonly #hexRuns = new EncodedRuns(HEX_GROUPS);

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
    this.#base = base;
    this.#known = known;
    while (index < chunk.length) index = this.#isAwake ? this.#look(chunk, index) : this.#pass(chunk, index);
    this.#lineStart = this.#lineStartAt(chunk, chunk.length);
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

  /** Looks at units up to a place at least, and until there is nothing to see. */
  #look(chunk: string, from: number, until = from): number {
    let index = from;
    while (index < chunk.length) {
      const unit = chunk.charCodeAt(index);
      this.#view.push(unit, this.#base + index, this.#base + index + 1);
      this.#last = unit < 128 ? (CLASSES[unit] ?? 0) : WORD;
      if ((this.#last & WAKES) !== 0) this.#escape = this.#base + index;
      index += 1;
      if (index > until && this.#view.isIdle() && this.#maySleep(chunk, index)) {
        this.#isAwake = false;
        this.#seen = this.#base + index;
        break;
      }
    }
    return index;
  }

  /** True if all that an encoding in the middle of a word begins with is in the chunk, or the next character ends the word. */
  #maySleep(chunk: string, index: number): boolean {
    // Only the view knows the letters that an escape stands for or interrupts.
    if (this.#base + index - this.#escape <= MAX_BETWEEN && this.#view.isInWord()) return false;
    if (index === chunk.length) return (this.#last & (ENCODING | LINE_END)) === 0;
    return index > MAX_BETWEEN || this.#wordBefore(chunk, index) > 0;
  }

  /** Where the last characters of the word before a place begin, at most as many as a run has. */
  #wordBefore(chunk: string, index: number): number {
    let letters = 0;
    const end = Math.max(0, index - MAX_BETWEEN);
    for (let at = index - 1; at >= end; at -= 1) {
      const kind = this.#classAt(chunk, at);
      if ((kind & ENCODING) !== 0) letters += 1;
      else if ((kind & LINE_END) === 0 && chunk.charCodeAt(at) !== SPACE) return at + 1;
      if (letters === MAX_BEFORE) return at;
    }
    return end;
  }

  #wake(chunk: string, from: number, until: number): number {
    this.#isAwake = true;
    if (this.#base + from === this.#seen) return this.#look(chunk, from, until);
    const kind = from === 0 ? this.#last : this.#classAt(chunk, from - 1);
    this.#view.resume({
      isInEncoding: (kind & ENCODING) !== 0,
      isInWord: (kind & WORD) !== 0,
      column: this.#base + from - this.#lineStartAt(chunk, from),
    });
    return this.#look(chunk, from, until);
  }

  /** Position of the first character of a line. Later lines are found from the last one on. */
  #lineStartAt(chunk: string, index: number): number {
    const { start, next } = this.#line;
    const isSame = this.#base + index >= start && this.#base + index <= next;
    if (isSame) return start;
    const newline = index === 0 ? -1 : chunk.lastIndexOf("\n", index - 1);
    const after = chunk.indexOf("\n", index);
    this.#line = {
      start: newline === -1 ? this.#lineStart : this.#base + newline + 1,
      next: after === -1 ? this.#base + chunk.length : this.#base + after,
    };
    return this.#line.start;
  }

  /** Passes over units up to one that the view must look at. */
  #pass(chunk: string, from: number): number {
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
    this.#hasRuns = false;
    let run = this.#beginRuns(chunk, from);
    for (let index = from; index < length; index += 1) {
      const unit = chunk.charCodeAt(index);
      const next = unit < 128 ? (classes[unit] ?? 0) : this.#wide;
      if ((next & (WAKES | FIRST)) !== 0 && this.#mustLook(chunk, index, next)) {
        const end = word < 0 && region < 0 ? this.#endOfKnown(chunk, index) : undefined;
        if (end !== undefined) {
          this.#last = this.#classAt(chunk, end - 1);
          return end;
        }
        return this.#wakeAt(chunk, [word, region, run > 0 ? this.#wordBefore(chunk, index) : NONE, index]);
      }
      if ((next & ENCODING) !== 0) {
        run += 1;
        if (run >= MIN_RUN && this.#endsRun(chunk, index, run)) {
          return this.#wakeAt(chunk, [word, region, this.#wordBefore(chunk, index), index]);
        }
      } else if ((next & LINE_END) === 0 && (unit !== SPACE || (kind & LINE_END) === 0)) run = 0;
      if ((next & ENCODING) !== 0) {
        if (word === NONE) {
          word = index;
          letters = 0;
        }
        letters += 1;
        if (letters === MIN_BASE64 && word >= 0) {
          if (mayEncode(chunk, word)) return this.#wakeAt(chunk, [word, region, index]);
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
        if (digits >= MIN_DIGITS && region >= 0) return this.#wakeAt(chunk, [word, region, index]);
      } else if (region >= 0) {
        separators += 1;
        blanks += (next & LINE_END) === 0 ? 1 : 0;
        // `0x73` is a byte of a list.
        const isPrefix = unit === LETTER_X && this.#followsZero(chunk, index);
        if (((next & SEPARATOR) === 0 && !isPrefix) || separators > MAX_SEPARATORS) region = NONE;
        // Columns of characters have few digits but those of the offset.
        else if (unit === SPACE && blanks === 2 && token >= 7) {
          return this.#wakeAt(chunk, [word, region, index]);
        }
      }
      if (unit !== SPACE || (kind & LINE_END) === 0) kind = next;
    }
    if (word >= 0 || region >= 0 || run > 0) {
      const before = run > 0 ? this.#wordBefore(chunk, length) : NONE;
      return this.#wakeAt(chunk, [word, region, before, length - 1]);
    }
    this.#last = kind;
    return length;
  }

  /** True after a zero that begins a word. */
  #followsZero(chunk: string, index: number): boolean {
    return chunk[index - 1] === "0" && (index === 1 || (this.#classAt(chunk, index - 2) & WORD) === 0);
  }

  /** Number of characters of the word before a place, as far as a run may begin there. */
  #beginRuns(chunk: string, from: number): number {
    let [run, kind] = [0, 0];
    for (let index = this.#wordBefore(chunk, from); index < from; index += 1) {
      const next = this.#classAt(chunk, index);
      const isBetween = (next & LINE_END) !== 0 || (chunk.charCodeAt(index) === SPACE && (kind & LINE_END) !== 0);
      if ((next & ENCODING) !== 0) run += 1;
      else if (!isBetween) run = 0;
      if (!isBetween) kind = next;
    }
    return run;
  }

  /** Takes a character of a word; true if a run that decodes to text ends with it. `run`: characters of the word so far. */
  #endsRun(chunk: string, index: number, run: number): boolean {
    if (run === MIN_RUN || !this.#hasRuns) {
      this.#hasRuns = true;
      this.#base64Runs.reset();
      this.#hexRuns.reset();
      for (let at = this.#wordBefore(chunk, index); at < index; at += 1) this.#addToRuns(chunk, at);
    }
    return this.#addToRuns(chunk, index);
  }

  #addToRuns(chunk: string, index: number): boolean {
    const kind = this.#classAt(chunk, index);
    if ((kind & ENCODING) === 0) return false;
    const unit = chunk.charCodeAt(index);
    const isHex = (kind & HEX) !== 0;
    if (!isHex) this.#hexRuns.reset();
    const ends = isHex && this.#hexRuns.add(HEX_VALUES[unit] ?? 0);
    return this.#base64Runs.add(BASE64_VALUES[unit] ?? 0) || ends;
  }

  #classAt(chunk: string, index: number): number {
    const unit = chunk.charCodeAt(index);
    return unit < 128 ? (CLASSES[unit] ?? 0) : WORD;
  }

  /** End of a secret that begins here and was found already, if nothing in it needs a further look. */
  #endOfKnown(chunk: string, index: number): number | undefined {
    const end = this.#known.get(this.#base + index);
    if (end === undefined || end - this.#base >= chunk.length) return undefined;
    const { closed } = this.#search;
    const text = chunk.slice(index, end - this.#base + 1);
    const isClosed = closed.get(text) ?? endsWithin({ ...this.#search, report: () => undefined }, text);
    closed.set(text, isClosed);
    return isClosed ? end - this.#base : undefined;
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

  /** Wakes the view at the first of the places that there are; it looks at the others too. */
  #wakeAt(chunk: string, places: readonly number[]): number {
    const first = Math.min(...places.filter((place) => place >= 0));
    // What the view has seen it remembers.
    return this.#wake(chunk, Math.max(first, this.#seen - this.#base), Math.max(...places));
  }
}
