import type { ByteSink } from "./byte-sink.ts";

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const ESCAPE = 0x1b;
const CARET = 0x5e;
const NEWLINE = 0x0a;
/** Maximum length of an escape sequence, including escapes nested in it. */
const MAX_PENDING = 64;

const INTRODUCERS = new Uint8Array(128);
for (const code of [BACKSLASH, PERCENT, AMPERSAND, ESCAPE, CARET]) INTRODUCERS[code] = 1;

function introduces(code: number): boolean {
  return code < 128 && INTRODUCERS[code] === 1;
}
const LETTERS: Readonly<Record<string, number>> = {
  ...{ n: NEWLINE, r: NEWLINE, t: 0x20, b: 0x08, f: 0x0c, v: 0x0b, a: 0x07, e: ESCAPE, E: ESCAPE },
};
const ENTITIES: Readonly<Record<string, number>> = {
  ...{ amp: 0x26, lt: 0x3c, gt: 0x3e, quot: 0x22, apos: 0x27, nbsp: 0x20, sol: 0x2f, plus: 0x2b, equals: 0x3d },
  ...{ lowbar: 0x5f, hyphen: 0x2d, colon: 0x3a, commat: 0x40, num: 0x23, dollar: 0x24, percnt: 0x25, bsol: 0x5c },
};

/**
 * Offset that distinguishes a byte from a code point. An escape that encodes a byte of 0x80 or more has the value
 * `RAW_BYTE` plus that byte, which is larger than every code point. For example, `%C3%A9` encodes the two bytes of one
 * character.
 */
export const RAW_BYTE = 0x11_0000;

function toByte(reading: Reading): Reading {
  return typeof reading === "number" && reading >= 0x80 ? RAW_BYTE + (reading & 0xff) : reading;
}

/**
 * Result of parsing a possible escape sequence. A number: the code point or byte it stands for. `more`: the sequence is
 * incomplete. `dropped`: it stands for no text. `none`: it is not an escape sequence.
 */
type Reading = "more" | "none" | "dropped" | number;

function hexReading(digits: string, length: number): Reading {
  if (!/^[0-9A-Fa-f]*$/.test(digits)) return "none";
  return digits.length < length ? "more" : Number.parseInt(digits, 16);
}

function toCodePoint(code: number): Reading {
  return Number.isNaN(code) || code > 0x10_ffff ? "none" : code;
}

function braced(text: string): Reading {
  const found = /^\{([0-9A-Fa-f]{0,6})(\}?)$/.exec(text);
  if (found === null) return "none";
  return found[2] === "" ? "more" : toCodePoint(Number.parseInt(`0${found[1]}`, 16));
}

function readBackslash(text: string): Reading {
  const first = text[0];
  if (first === undefined) return "more";
  if (first === "u") return text[1] === "{" ? braced(text.slice(1)) : hexReading(text.slice(1), 4);
  if (first === "U") {
    const reading = hexReading(text.slice(1), 8);
    return typeof reading === "number" ? toCodePoint(reading) : reading;
  }
  if (first === "x") return text[1] === "{" ? braced(text.slice(1)) : toByte(hexReading(text.slice(1), 2));
  if (first >= "0" && first <= "3") {
    if (!/^[0-7]*$/.test(text)) return "none";
    return text.length < 3 ? "more" : toByte(Number.parseInt(text, 8));
  }
  // `od -c` prints a backslash in a separate column, so a space may follow it.
  if (text.length > 1 || first === " ") return "none";
  return LETTERS[first] ?? first.charCodeAt(0);
}

function readEntity(text: string): Reading {
  const number = /^#(?:([0-9]{0,7})|[xX]([0-9A-Fa-f]{0,6}))(;?)$/.exec(text);
  if (number !== null) {
    const [, decimal, hex, end] = number;
    if (end === "") return "more";
    const code = Number.parseInt(hex ?? decimal ?? "", hex === undefined ? 10 : 16);
    return toCodePoint(code);
  }
  if (!/^[A-Za-z]{0,6};?$/.test(text)) return "none";
  if (!text.endsWith(";")) return "more";
  const name = text.slice(0, -1);
  return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? "none") : "none";
}

/** Parses colours and other terminal control sequences. */
function readTerminal(text: string): Reading {
  const first = text[0];
  if (first === undefined) return "more";
  if (first === "[") {
    if (/^\[[0-?]*[ -/]*$/.test(text)) return "more";
    return /^\[[0-?]*[ -/]*[@-~]$/.test(text) ? "dropped" : "none";
  }
  if (/^[()*+#%]/.test(first)) return text.length < 2 ? "more" : "dropped";
  return text.length === 1 && /[@-Z\\^_a-z0-9=>]/.test(first) ? "dropped" : "none";
}

function readEscape(introducer: number, text: string): Reading {
  if (introducer === BACKSLASH) return readBackslash(text);
  if (introducer === PERCENT) return text.startsWith("u") ? hexReading(text.slice(1), 4) : toByte(hexReading(text, 2));
  if (introducer === AMPERSAND) return readEntity(text);
  if (introducer === ESCAPE) return readTerminal(text);
  return text === "" ? "more" : text === "[" ? ESCAPE : "none";
}

interface Pending {
  readonly code: number;
  /** Number of nested escapes from which this character was decoded. */
  readonly depth: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Decodes escape sequences at any nesting depth: those of JSON and shells, `\xNN`, `\uNNNN`, octal, percent encoding,
 * HTML entities. Terminal control sequences are dropped. Input: code points. Output: code points or bytes.
 */
export class EscapeReader implements ByteSink {
  readonly #sink: ByteSink;
  #pending: Pending[] = [];
  /** Characters that were read after an escape sequence before its end was known. */
  #later: Pending[] = [];

  constructor(sink: ByteSink) {
    this.#sink = sink;
  }

  push(code: number, start: number, end: number): void {
    if (this.#pending.length === 0 && !introduces(code)) {
      this.#sink.push(code, start, end);
      return;
    }
    this.#take({ code, start, end, depth: 0 });
    if (this.#pending.length > MAX_PENDING) this.#release(this.#pending.length - 1);
  }

  /** Handles the end of the text: passes on characters that could have been the start of an escape sequence. */
  finish(): void {
    // At the end of the text, a line end inside an escape sequence is ignored if the rest is valid.
    for (let last = this.#reduce(true); last !== undefined; last = this.#reduce(true)) this.#take(last);
    this.#release(this.#pending.length);
  }

  interrupt(): void {
    this.finish();
    this.#sink.interrupt();
  }

  isIdle(): boolean {
    return this.#pending.length === 0 && this.#sink.isIdle();
  }

  pendingFrom(): number {
    return Math.min(this.#pending[0]?.start ?? Number.POSITIVE_INFINITY, this.#sink.pendingFrom());
  }

  #release(count: number): void {
    for (const { code, start, end } of this.#pending.splice(0, count)) this.#sink.push(code, start, end);
  }

  #take(completed: Pending): void {
    let next: Pending | undefined = completed;
    while (next !== undefined) {
      const { code, start, end, depth }: Pending = next;
      next = undefined;
      const last = this.#pending.at(-1);
      // A backslash may itself be escaped, once per nesting level.
      if (code === BACKSLASH && last?.code === BACKSLASH && depth === last.depth) {
        this.#pending[this.#pending.length - 1] = { code, start: last.start, end, depth };
        next = this.#later.shift();
        continue;
      }
      if (this.#pending.length === 0 && !introduces(code)) {
        this.#sink.push(code, start, end);
        next = this.#later.shift();
        continue;
      }
      // The start of a new escape (not a terminal sequence) completes an earlier escape that contains a line end.
      const newline =
        introduces(code) && code !== ESCAPE ? this.#pending.findLast((one) => one.code === NEWLINE) : undefined;
      const settled = newline !== undefined && depth >= newline.depth ? this.#reduce(true) : undefined;
      if (settled !== undefined) {
        this.#later = [...this.#later, { code, start, end, depth }];
        next = settled;
        continue;
      }
      this.#pending.push({ code, start, end, depth });
      next = this.#reduce() ?? this.#later.shift();
    }
  }

  /** Resolves the last pending escape sequence and returns the character that it stands for. */
  #reduce(isCut = false): Pending | undefined {
    const from = this.#pending.findLastIndex(({ code }) => introduces(code));
    const introducer = this.#pending[from];
    const last = this.#pending.at(-1);
    if (introducer === undefined || last === undefined) {
      this.#release(this.#pending.length);
      return undefined;
    }
    const [reading, count] = this.#read(introducer.code, from + 1, isCut);
    if (reading === "more") return undefined;
    if (reading === "none") {
      if (!isCut) this.#release(this.#pending.length);
      return undefined;
    }
    const end = this.#pending[from + count]?.end ?? last.end;
    this.#later = [...this.#pending.splice(from).slice(count + 1), ...this.#later];
    if (reading === "dropped") return this.#later.shift();
    return { code: reading, start: introducer.start, end, depth: introducer.depth + 1 };
  }

  /** Parses the escape sequence that starts at an index. Returns the result and the length of the sequence. */
  #read(introducer: number, from: number, isCut: boolean): readonly [reading: Reading, count: number] {
    const codes = this.#pending.slice(from).map(({ code }) => Math.min(code, 0xff_fd));
    const text = String.fromCodePoint(...codes);
    const newline = text.search(/[\r\n]/);
    if (newline === -1) return [isCut ? "more" : readEscape(introducer, text), codes.length];
    // A line end inside an escape may come from `fold`, or from the end of a dump line.
    const next = text.slice(newline).replace(/^[\r\n]+/, "");
    if (/^(?:00[0-9A-Fa-f]{3}0|[0-9A-Fa-f]{7,8})[: ]/.test(next)) return ["none", 0];
    if (!isCut && /^[0-9A-Fa-f]{0,8}$/.test(next)) return ["more", 0];
    for (let count = 1; count <= text.length; count += 1) {
      const reading = readEscape(introducer, text.slice(0, count).replace(/[\r\n]/g, ""));
      if (reading === "none") return [reading, 0];
      if (reading !== "more") return [reading, count];
    }
    return ["more", 0];
  }
}
