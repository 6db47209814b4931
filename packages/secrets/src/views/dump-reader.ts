import type { ByteSink } from "./byte-sink.ts";
import { CLASSES, HEX, isHexDigit, WORD } from "./character-classes.ts";
import { DumpChannels, type DumpToken } from "./dump-channels.ts";
import {
  columnSize,
  type DumpLine,
  isCells,
  isFrame,
  isFromOd,
  isOffset,
  MAX_CELLS,
  MAX_PADDING,
  opensFrame,
  sizeOf,
} from "./dump-line.ts";
import { OffsetTail } from "./offset-tail.ts";
import type { Inner } from "./text-gate.ts";
import type { UnitCount } from "./unit-count.ts";

const NEWLINE = 0x0a;
const SPACE = 0x20;
const COLON = 0x3a;
/**
 * Maximum length of a token in a line of a hex dump. Longer tokens are hexadecimal text, which is read in pairs of
 * digits.
 */
const MAX_TOKEN = 20;
/** Maximum number of characters in a dump line in addition to the encoded bytes: padding and text column. */
const MAX_COLUMN = 400;
/** Maximum number of tokens in a line of a hex dump. A line with more is not read as a dump. */
const MAX_TOKENS = 128;
/** Maximum number of consecutive spaces between the tokens of a dump line. More spaces end the dump. */
const MAX_GAP = 80;
const SEPARATORS: ReadonlySet<number> = new Set([..." ,:;-[](){}\"'\n\t|<>"].map((text) => text.charCodeAt(0)));

/**
 * Parses the output of `xxd`, `hexdump` and `od`, plain hex in any grouping, and lists of byte values. In a dump with
 * offsets, the range of a decoded byte extends to the end of the dump line, so that the text column of a secret is
 * masked too. Line ends may occur anywhere, because tools such as `fold` insert them.
 */
export class DumpReader implements ByteSink {
  readonly #channels: DumpChannels;
  readonly #units: UnitCount;
  readonly #isWide: boolean;
  #isReading = false;
  #isAfterWord = false;
  #text = "";
  #starts: number[] = [];
  #ends: number[] = [];
  /** Position up to which the current dump line has been read. */
  #lineEnd = 0;
  #isAfterNewline = false;
  #spaces = 0;
  #size = 0;
  #line: DumpLine | undefined;
  readonly #tail = new OffsetTail();

  /** `units` counts the characters of the original text, before unescaping. */
  constructor(inner: Inner, units: UnitCount) {
    this.#units = units;
    this.#isWide = inner.isWide;
    this.#channels = new DumpChannels(inner);
  }

  push(code: number, start: number, end: number): void {
    const kind = CLASSES[code] ?? WORD;
    const isStart = !this.#isAfterWord && (kind & HEX) !== 0;
    this.#isAfterWord = (kind & WORD) !== 0;
    if (!this.#isReading && !isStart) return;
    this.#isReading = true;
    if (this.#line === undefined) this.#readPlain(code, start, end);
    else this.#readLine(this.#line, { code, start, end });
  }

  interrupt(): void {
    this.#isAfterWord = false;
    if (!this.#isReading) return;
    this.#endToken();
    this.#endLine();
    this.#stop();
  }

  isIdle(): boolean {
    return !this.#isReading;
  }

  /** Resumes inside a word. A hex dump can start only at the beginning of a word, so none is found in this one. */
  resume(): void {
    this.#isAfterWord = true;
  }

  pendingFrom(): number {
    if (!this.#isReading) return Number.POSITIVE_INFINITY;
    return Math.min(this.#line?.tokens[0]?.starts[0] ?? this.#pendingToken(), this.#channels.pendingFrom());
  }

  /**
   * Returns the position, in the original text, at which a secret may start in the current token. `Infinity` if there
   * is none. If no secret contains non-ASCII characters, only digits that encode ASCII characters are considered.
   */
  #pendingToken(): number {
    const isComplete = this.#line !== undefined || this.#isWide;
    const index = isComplete || /^\d/.test(this.#text) ? 0 : this.#text.search(/(?<=^(?:..)+)[0-7]/);
    return this.#starts[index] ?? Number.POSITIVE_INFINITY;
  }

  #stop(): void {
    this.#channels.interrupt();
    this.#isReading = false;
    this.#line = undefined;
    this.#takeToken();
    this.#spaces = 0;
    this.#size = 0;
  }

  #addDigit(code: number, start: number, end: number): void {
    this.#text += String.fromCharCode(code);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#lineEnd = end;
    this.#spaces = 0;
    this.#isAfterNewline = false;
  }

  #takeToken(): DumpToken | undefined {
    if (this.#text === "") return undefined;
    const token = { text: this.#text, starts: this.#starts, ends: this.#ends };
    this.#text = "";
    this.#starts = [];
    this.#ends = [];
    return token;
  }

  // The methods below read plain hex, which has no offsets and may have line ends anywhere.

  #readPlain(code: number, start: number, end: number): void {
    if (isHexDigit(code)) {
      this.#addDigit(code, start, end);
      if (this.#text.length >= MAX_TOKEN) this.#takePairs();
      return;
    }
    if (code === NEWLINE) {
      // If all tokens have the same size, a shorter token at the end of a line continues in the next line.
      if (this.#size > 0 && this.#text.length % this.#size === 0) this.#endToken();
      return;
    }
    if ((code === SPACE || code === COLON) && this.#beginsLine(code)) return;
    if (code === 0x78 && this.#text === "0") {
      this.#takeToken();
      return;
    }
    this.#spaces = code === SPACE ? this.#spaces + 1 : 0;
    this.#endToken();
    if (!SEPARATORS.has(code) || this.#spaces > MAX_GAP) this.#stop();
  }

  /** The end of plain hex is not marked, so all digits except the last ones are decoded immediately. */
  #takePairs(): void {
    const count = MAX_TOKEN - 10;
    const [text, starts, ends] = [this.#text, this.#starts, this.#ends];
    this.#channels.push({ text: text.slice(0, count), starts, ends });
    this.#text = text.slice(count);
    this.#starts = starts.slice(count);
    this.#ends = ends.slice(count);
    this.#size = 0;
  }

  #endToken(): void {
    const token = this.#takeToken();
    if (token === undefined) return;
    if (this.#line !== undefined) {
      this.#addToken(this.#line, token);
      return;
    }
    this.#size = token.text.length <= 16 ? token.text.length : 0;
    this.#channels.push(token);
  }

  /** Returns whether the current token is an offset, with which a dump line starts. */
  #beginsLine(code: number): boolean {
    if (!isOffset(this.#text, code === COLON)) return false;
    const token = this.#takeToken();
    // Eight hex digits are either an offset or four bytes of data.
    if (token?.text.length === 8 && code === SPACE && this.#size === 8) this.#channels.push(token);
    else {
      this.#size = 0;
      this.#openLine(token?.text ?? "", code);
    }
    return true;
  }

  #openLine(offset: string, code: number, isAfterCells = false): void {
    this.#line = {
      ...{
        offset,
        gap: 0,
        bytes: 0,
        tokens: [],
        part: "data",
        columnStart: 0,
        end: undefined,
        symbols: 0,
        columnSymbols: 0,
        seenBreak: 0,
        opened: this.#units.count,
        ratio: 1,
        isBlank: true,
        isFramed: false,
        isAfterCells,
      },
    };
    this.#spaces = code === SPACE ? 1 : 0;
    this.#tail.clear();
  }

  // The methods below read the lines of a dump with offsets.

  #readLine(line: DumpLine, at: { code: number; start: number; end: number }): void {
    line.symbols += 1;
    if (isHexDigit(at.code)) this.#tail.add(at.code, at.start, this.#lineEnd);
    else if (at.code !== NEWLINE) this.#tail.clear();
    if (this.#tail.isNextOffset(line, line.part === "data" ? this.#text : "")) {
      this.#nextLine(line, at);
      return;
    }
    if (line.part === "data") this.#readData(line, at);
    else if (line.part === "beside") this.#readColumn(line, at);
    else this.#readAfter(line, at);
  }

  /** Reads the text after a dump line: the next line, another dump, or ordinary text. */
  #readAfter(line: DumpLine, { code, start, end }: { code: number; start: number; end: number }): void {
    if (code === NEWLINE) return;
    if (code === SPACE && this.#text === "" && line.bytes === 0) {
      line.part = "data";
      this.#spaces += 1;
      return;
    }
    if (isHexDigit(code) && this.#text.length < 9) {
      this.#addDigit(code, start, end);
      return;
    }
    this.#line = undefined;
    this.#channels.interrupt();
    this.#size = 0;
    this.#readPlain(code, start, end);
  }

  #readData(line: DumpLine, { code, start, end }: { code: number; start: number; end: number }): void {
    if (code === SPACE) {
      this.#endToken();
      this.#spaces += 1;
      const isColumn = line.tokens.length > 0 && !isCells(line) && this.#spaces > Math.max(line.gap, 1);
      if (isColumn) this.#beginColumn(line, 0, false);
      return;
    }
    if (code === NEWLINE) {
      const isBlank = line.tokens.length === 0 && this.#text === "" && this.#spaces > 0;
      // The line is from `od -c`, and all characters before its last one are blanks.
      if (isFromOd(line) && isBlank && this.#spaces % 2 === 0) line.gap = 3;
      const isCell = isCells(line) && this.#spaces % 4 === 2;
      if (
        isCells(line) &&
        (line.tokens.length > 0 || this.#spaces > 0 || this.#text !== "") &&
        (this.#text.length < 2 || this.#text.length === 3)
      ) {
        this.#endToken();
        this.#addBlanks(line, Math.round((this.#spaces - (isCell ? 2 : 0)) / 4), { start, end });
        if (isCell) this.#addToken(line, { text: "\n", starts: [start], ends: [end] });
        this.#spaces = 0;
      }
      this.#isAfterNewline = this.#spaces === 0 && !isCell;
      if (line.tokens.length === 0 && this.#text === "" && this.#spaces === 0) line.part = "after";
      else if (this.#text.length >= this.#size && !isCells(line)) this.#endToken();
      return;
    }
    const isFirst = line.tokens.length === 0 && this.#text === "";
    if (isFirst && code === COLON && this.#spaces === 0) return;
    if (isFirst) this.#noteGap(line, { start, end });
    const isCell = isCells(line);
    if (!isHexDigit(code) && !isCell) {
      this.#endToken();
      if (this.#isAfterNewline) {
        // The dump line has no text column, so this text does not belong to the dump.
        this.#fail();
        return;
      }
      this.#beginColumn(line, 1, isFrame(code));
      return;
    }
    if (isCell && this.#text === "" && !isFirst && !this.#isAfterNewline) {
      this.#addBlanks(line, Math.floor(this.#spaces / 4), { start, end });
    }
    this.#addDigit(code, start, end);
    if (this.#text.length > MAX_TOKEN) this.#fail();
  }

  #noteGap(line: DumpLine, at: { start: number; end: number }): void {
    // In `od -c`, a column with three octal digits leaves only one space before the next column.
    line.gap = line.isAfterCells && this.#spaces === 1 ? 3 : this.#spaces;
    if (!isFromOd(line) || this.#spaces < 7) return;
    // The line is from `od -c`, which prints one character per column, and its first characters are blanks.
    line.gap = 3;
    this.#addBlanks(line, Math.floor(this.#spaces / 4), at);
  }

  /** In a line of `od -c`, adds columns whose character is a blank. */
  #addBlanks(line: DumpLine, count: number, at: { start: number; end: number }): void {
    const blank = { text: " ", starts: [at.start], ends: [at.end] };
    for (let added = 0; added < count; added += 1) this.#addToken(line, blank);
  }

  #addToken(line: DumpLine, token: DumpToken): void {
    if (line.tokens.length === 0 && this.#size === 0) this.#size = token.text.length;
    line.bytes += sizeOf(token.text);
    line.tokens.push(token);
    if (line.tokens.length > (isCells(line) ? MAX_CELLS : MAX_TOKENS)) this.#fail();
  }

  #beginColumn(line: DumpLine, start: number, isFramed: boolean): void {
    line.part = "beside";
    // In the last line, spaces fill the missing bytes before the text column: five characters per two bytes.
    const padding = start > 0 ? -start : Math.ceil(2.5 * Math.max(0, 16 - line.bytes));
    line.ratio = Math.max(1, Math.round((this.#units.count - line.opened) / line.symbols));
    line.columnStart = this.#units.count + padding * line.ratio;
    line.isBlank = start === 0;
    line.columnSymbols = line.symbols + padding;
    line.seenBreak = this.#units.lastBreak;
    line.isFramed = isFramed;
  }

  #readColumn(line: DumpLine, { code, end }: { code: number; end: number }): void {
    this.#noteBreak(line);
    if (code !== NEWLINE) {
      if (line.isBlank && opensFrame(line, code)) {
        line.isFramed = true;
        line.columnStart = this.#units.count - line.ratio;
        line.columnSymbols = line.symbols - 1;
      }
      line.isBlank &&= code === SPACE;
      this.#lineEnd = end;
    }
    const start = this.#units.count - line.columnStart;
    if (code === NEWLINE && start > columnSize(line)) {
      // If the text column was incomplete when a line end was removed, the line end was inside the column.
      if (this.#mayBeComplete(line, start - line.ratio, line.symbols - 1)) line.end = undefined;
      this.#decodeLine(line);
      line.part = "after";
    }
    if (line.symbols - line.columnSymbols > MAX_COLUMN) this.#fail();
  }

  #nextLine(line: DumpLine, { start }: { start: number }): void {
    const width = line.offset.length;
    const tail = this.#tail.last(width);
    if (line.part === "data") {
      // Without its line end, the last token of the line and the next line's offset form one word.
      const kept = this.#text.length + 1 - width;
      this.#text = this.#text.slice(0, Math.max(0, kept));
      this.#starts = this.#starts.slice(0, Math.max(0, kept));
      this.#ends = this.#ends.slice(0, Math.max(0, kept));
      this.#endToken();
    }
    const isColumn = line.part === "beside";
    this.#decodeLine(line, isColumn ? this.#tail.lineEnd(width, start) : undefined);
    if (!isColumn) this.#takeToken();
    this.#openLine(tail, COLON, isCells(line) || line.isAfterCells);
  }

  /** Returns whether the text column may be complete, whether escapes in it were decoded or belong to the text. */
  #mayBeComplete(line: DumpLine, units: number, symbols: number): boolean {
    const sizes = [units / line.ratio, symbols - line.columnSymbols];
    return sizes.some((size) => size >= columnSize(line) && size <= line.bytes + MAX_PADDING);
  }

  /** If the text column is complete where a line end was removed, records this position as the end of the dump line. */
  #noteBreak(line: DumpLine): void {
    const { lastBreak } = this.#units;
    if (lastBreak === line.seenBreak) return;
    line.seenBreak = lastBreak;
    if (!line.isBlank && this.#mayBeComplete(line, lastBreak - line.columnStart, line.symbols - 1))
      line.end ??= this.#lineEnd;
  }

  #decodeLine(line: DumpLine, end?: number): void {
    const last = line.tokens.at(-1)?.ends.at(-1) ?? 0;
    const to = end ?? line.end ?? (line.part === "data" ? last : Math.max(this.#lineEnd, last));
    for (const token of line.tokens) this.#channels.push(token, to);
    line.tokens.length = 0;
  }

  #endLine(): void {
    if (this.#line !== undefined) this.#decodeLine(this.#line);
  }

  #fail(): void {
    this.#endLine();
    this.#stop();
  }
}
