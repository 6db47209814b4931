import { buildPatternAutomaton } from "../masker/pattern-automaton.ts";
import { BASE64_GROUPS, BASE64_VALUES, decodesToText } from "./base64-reader.ts";
import { findBeginnings } from "./beginnings.ts";
import { CLASSES, classAt, ENCODING, FIRST, HEX, LINE_END, SKIPPED, WAKES, WORD } from "./character-classes.ts";
import { createView, endsWithin, MAX_DEPTH, type View } from "./create-view.ts";
import { DigitGroup } from "./digit-group.ts";
import { EncodedRuns } from "./encoded-runs.ts";
import { HEX_GROUPS, HEX_VALUES } from "./hex-reader.ts";
import type { Search } from "./secret-finder.ts";

/**
 * Special values in place of a start position. `NONE`: no word or group of digits has started. `SEEN`: the start of the
 * word was already checked.
 */
const NONE = -1;
const SEEN = -2;
const TAB = 0x09;
const SPACE = 0x20;
/** Minimum length of a secret in base64 characters. */
const MIN_BASE64 = 11;
/** Number of characters that must equal the start of a secret. Only then does the view read and compare the rest. */
const MAX_COMPARED = 6;
/** Maximum number of characters of encoded text that the scanner skips before it recognises the text as encoded. */
const MAX_BEFORE: number = Math.max(BASE64_GROUPS.length, HEX_GROUPS.length) - 1;
const MAX_BETWEEN = 80;
/** Minimum number of consecutive characters with which the scanner can recognise encoded text. */
const MIN_RUN: number = Math.min(BASE64_GROUPS.length, HEX_GROUPS.length);

/**
 * Returns the pairs of characters with which secrets start. Text that starts with another pair needs no further check.
 */
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

/** Returns whether the four characters at an index may encode text in base64. */
function mayEncode(chunk: string, from: number): boolean {
  const group = chunk.slice(from, from + 4);
  // If the group contains characters outside the base64 alphabet, such as line ends, only the view can decode it. The
  // result is then true, so that the view decodes the text.
  return !/^[A-Za-z0-9+/_-]{4}$/.test(group) || decodesToText(group);
}

/** Data with which a scanner finds encoded secrets. */
export interface ScannerSearch extends Omit<Search, "report"> {
  /** Classes of each ASCII character (`character-classes.ts`), indexed by code. */
  readonly classes: Uint8Array;
  /** Classes of all non-ASCII characters (`character-classes.ts`). */
  readonly wide: number;
  /** Table indexed by pairs of ASCII characters: 1 if a secret starts with the pair. */
  readonly pairs: Uint8Array;
  /**
   * Cached results of `endsWithin`. The key is a found secret with the character after it. True if no other secret
   * starts inside the secret and continues after it.
   */
  readonly closed: Map<string, boolean>;
}

/** Prepares the data for finding the normal forms of secrets in decoded text. */
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
 * Finds encoded secrets fast: only text that may contain one is decoded, by a view. This is text at escapes, at the
 * start of a secret, in long words and among digits. Other text is skipped with a table lookup.
 */
export class ViewScanner {
  readonly #search: ScannerSearch;
  readonly #view: View;
  readonly #classes: Uint8Array;
  readonly #pairs: Uint8Array;
  /** Class of non-ASCII characters. */
  readonly #wide: number;
  /** End positions of the plain-text secrets found in the chunk, by their start positions. */
  #known: ReadonlyMap<number, number> = new Map();
  /** Position of the chunk's first UTF-16 unit in the text. */
  #base = 0;
  #isAwake = false;
  /** Position up to which the text was decoded. */
  #seen = -1;
  /** Start of the last escape sequence in the decoded text. */
  #escape = Number.NEGATIVE_INFINITY;
  /** Class of the last skipped character. */
  #last = 0;
  /** Position at which the line that the last chunk ended in starts. */
  #lineStart = 0;
  /** The line that was looked up last: its start, and the position up to which it is known to extend. */
  #line = { start: 0, next: 0 };
  /** True if the characters of the current word were already checked for encoded text. */
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

  /** Adds a chunk. `base` is the position of its first UTF-16 unit; `known` contains the plain-text secrets in it. */
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

  /** Returns the position from which UTF-16 units may still become part of a secret. `Infinity` if there is none. */
  pendingFrom(): number {
    return this.#isAwake ? this.#view.pendingFrom() : Number.POSITIVE_INFINITY;
  }

  /** Decodes the text, at least up to an index, until no secret may have started. */
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

  /**
   * Returns whether decoding can be paused. This requires that the word ends, or that the chunk contains enough of the
   * word to recognise encoded text later.
   */
  #maySleep(chunk: string, index: number): boolean {
    // A word may continue after an escape. The scanner does not decode escapes, so the view decides.
    if (this.#base + index - this.#escape <= MAX_BETWEEN && this.#view.isInWord()) return false;
    if (index === chunk.length) return (this.#last & (ENCODING | LINE_END)) === 0;
    return index > MAX_BETWEEN || this.#wordBefore(chunk, index) > 0;
  }

  /**
   * Returns the index at which the part of a word directly before an index starts. The part has at most `MAX_BEFORE`
   * characters that may be encoded text.
   */
  #wordBefore(chunk: string, index: number): number {
    let letters = 0;
    const end = Math.max(0, index - MAX_BETWEEN);
    for (let at = index - 1; at >= end; at -= 1) {
      const kind = classAt(chunk, at);
      if ((kind & ENCODING) !== 0) letters += 1;
      else if ((kind & LINE_END) === 0 && chunk.charCodeAt(at) !== SPACE) return at + 1;
      if (letters === MAX_BEFORE) return at;
    }
    return end;
  }

  #wake(chunk: string, from: number, until: number): number {
    this.#isAwake = true;
    if (this.#base + from === this.#seen) return this.#look(chunk, from, until);
    const kind = from === 0 ? this.#last : classAt(chunk, from - 1);
    this.#view.resume({
      isInEncoding: (kind & ENCODING) !== 0,
      isInWord: (kind & WORD) !== 0,
      column: this.#base + from - this.#lineStartAt(chunk, from),
    });
    return this.#look(chunk, from, until);
  }

  /** Returns the position at which the line of an index starts. Indexes must be passed in ascending order. */
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

  /** Skips UTF-16 units until one must be decoded. */
  #pass(chunk: string, from: number): number {
    const classes = this.#classes;
    const { length } = chunk;
    let kind = this.#last;
    // If a word began before this position, its start was already checked.
    let word = (kind & ENCODING) === 0 ? NONE : SEEN;
    let letters = 0;
    const group = new DigitGroup(from);
    this.#hasRuns = false;
    let run = this.#beginRuns(chunk, from);
    for (let index = from; index < length; index += 1) {
      const unit = chunk.charCodeAt(index);
      const next = unit < 128 ? (classes[unit] ?? 0) : this.#wide;
      if ((next & (WAKES | FIRST)) !== 0 && this.#mustLook(chunk, index, next)) {
        const end = word < 0 && group.start < 0 ? this.#endOfKnown(chunk, index) : undefined;
        if (end !== undefined) {
          this.#last = classAt(chunk, end - 1);
          return end;
        }
        return this.#wakeAt(chunk, [word, group.start, run > 0 ? this.#wordBefore(chunk, index) : NONE, index]);
      }
      if ((next & ENCODING) !== 0) {
        run += 1;
        if (run >= MIN_RUN && this.#endsRun(chunk, index, run)) {
          return this.#wakeAt(chunk, [word, group.start, this.#wordBefore(chunk, index), index]);
        }
      } else if ((next & LINE_END) === 0 && (unit !== SPACE || (kind & LINE_END) === 0)) run = 0;
      if ((next & ENCODING) !== 0) {
        if (word === NONE) {
          word = index;
          letters = 0;
        }
        letters += 1;
        if (letters === MIN_BASE64 && word >= 0) {
          if (mayEncode(chunk, word)) return this.#wakeAt(chunk, [word, group.start, index]);
          word = SEEN;
        }
      } else if ((next & LINE_END) !== 0) {
        if (word === SEEN) word = NONE;
      } else if (unit !== SPACE || (kind & LINE_END) === 0) word = NONE;
      const isDecoded =
        (next & HEX) !== 0 ? group.addDigit(index, kind) : group.start >= 0 && group.addOther(chunk, index, next);
      if (isDecoded) return this.#wakeAt(chunk, [word, group.start, index]);
      if (unit !== SPACE || (kind & LINE_END) === 0) kind = next;
    }
    if (word >= 0 || group.start >= 0 || run > 0) {
      const before = run > 0 ? this.#wordBefore(chunk, length) : NONE;
      return this.#wakeAt(chunk, [word, group.start, before, length - 1]);
    }
    this.#last = kind;
    return length;
  }

  /** Returns the length of the word before an index. Only characters that may be encoded text are counted. */
  #beginRuns(chunk: string, from: number): number {
    let [run, kind] = [0, 0];
    for (let index = this.#wordBefore(chunk, from); index < from; index += 1) {
      const next = classAt(chunk, index);
      const isBetween = (next & LINE_END) !== 0 || (chunk.charCodeAt(index) === SPACE && (kind & LINE_END) !== 0);
      if ((next & ENCODING) !== 0) run += 1;
      else if (!isBetween) run = 0;
      if (!isBetween) kind = next;
    }
    return run;
  }

  /**
   * Adds a character of a word. Returns whether enough consecutive characters now decode to text. `run`: length of the
   * word so far.
   */
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
    const kind = classAt(chunk, index);
    if ((kind & ENCODING) === 0) return false;
    const unit = chunk.charCodeAt(index);
    const isHex = (kind & HEX) !== 0;
    if (!isHex) this.#hexRuns.reset();
    const ends = isHex && this.#hexRuns.add(HEX_VALUES[unit] ?? 0);
    return this.#base64Runs.add(BASE64_VALUES[unit] ?? 0) || ends;
  }

  /**
   * Returns the end of a plain-text secret that starts here. `undefined` if there is none, or if another secret may
   * start inside it.
   */
  #endOfKnown(chunk: string, index: number): number | undefined {
    const end = this.#known.get(this.#base + index);
    if (end === undefined || end - this.#base >= chunk.length) return undefined;
    const { closed } = this.#search;
    const text = chunk.slice(index, end - this.#base + 1);
    const isClosed = closed.get(text) ?? endsWithin({ ...this.#search, report: () => undefined }, text);
    closed.set(text, isClosed);
    return isClosed ? end - this.#base : undefined;
  }

  /** Returns whether the text must be decoded here: at an escape, or where a secret may start. */
  #mustLook(chunk: string, index: number, kind: number): boolean {
    if ((kind & WAKES) !== 0 || index + 1 >= chunk.length) return true;
    const after = chunk.charCodeAt(index + 1);
    if (after >= 128) return true;
    const isSkipped = ((CLASSES[after] ?? 0) & SKIPPED) !== 0;
    const isPair = this.#pairs[chunk.charCodeAt(index) * 128 + (after === TAB ? SPACE : after)] === 1;
    return (isSkipped || isPair) && this.#beginsForm(chunk, index);
  }

  /**
   * Compares a few characters with the starts of the secrets. Returns false if no secret starts here. Skips the same
   * characters as the decoding readers.
   */
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

  /** Starts decoding at the first of several positions, and continues at least up to the last. */
  #wakeAt(chunk: string, positions: readonly number[]): number {
    const first = Math.min(...positions.filter((position) => position >= 0));
    // Characters that were already decoded are not decoded again.
    return this.#wake(chunk, Math.max(first, this.#seen - this.#base), Math.max(...positions));
  }
}
