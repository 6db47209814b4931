import type { ByteSink } from "./byte-sink.ts";
import type { UnitCount } from "./unit-count.ts";

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Minimum width of the lines that are recognised as wrapped by `fold`, in characters. */
const MIN_WIDTH = 4;
const MAX_WIDTH = 1024;
/** Initial capacity for the characters of a line. */
const FIRST_SIZE = 32;

/** Reader that receives a text without the line ends that `fold` inserted. */
export interface JoinedReader {
  readonly sink: ByteSink;
  /** Counter of the characters that this reader has received. */
  readonly units: UnitCount;
}

/**
 * Finds secrets in text that was wrapped by tools such as `fold`. Two readers search the text. The first reader
 * receives the text unchanged. The second one starts when a line ends although the first reader may be inside a secret.
 * It receives that line and the following lines, without the line ends that `fold` inserted. A line end counts as
 * inserted if its line is as wide as the line with which the second reader started.
 */
export class LineJoiner implements ByteSink {
  readonly #plain: ByteSink;
  readonly #plainUnits: UnitCount;
  readonly #open: () => JoinedReader;
  readonly #units: UnitCount | undefined;
  #joined: JoinedReader | undefined;
  #isJoining = false;
  #width = 0;
  /**
   * Width that the second line has if the wrapped text starts in the middle of the first line, for example after a
   * label. Number of characters of the first line from the column at which reading resumed. 0 after the second line.
   */
  #laterWidth = 0;
  #column = 0;
  #from = 0;
  /**
   * Characters of the current line that were read so far. The second reader receives them when it starts at the end of
   * the line. Four numbers per character: its code, the start and end of its range in the original text, and the value
   * of `UnitCount.count` after it.
   */
  #line = new Float64Array(4 * FIRST_SIZE);
  #length = 0;
  #lastCount = 0;

  /**
   * `plain` is the first reader. `open` creates the second reader, which receives the text without inserted line ends.
   * If `followsEscapes` is true, the second reader starts only at escaped line ends (such as `\\n`).
   */
  constructor(plain: JoinedReader, open: () => JoinedReader, followsEscapes = false) {
    this.#plain = plain.sink;
    this.#plainUnits = plain.units;
    this.#open = open;
    this.#units = followsEscapes ? plain.units : undefined;
  }

  push(code: number, start: number, end: number): void {
    // A line end that directly follows an escaped line end does not come from `fold`, and is not removed.
    const isComplete = code === NEWLINE && this.#units === undefined && this.#endsInNewline();
    this.#plain.push(code, start, end);
    const count = this.#units?.count ?? 0;
    const isEscaped = this.#units === undefined || count - this.#lastCount > 1;
    this.#lastCount = count;
    if (code === NEWLINE) {
      if (this.#units !== undefined) this.#units.lastNewline = count;
      this.#endLine({ start, end }, isEscaped && !isComplete, isComplete);
      return;
    }
    if (code === CARRIAGE_RETURN) return;
    this.#column += 1;
    if (this.#units !== undefined && this.#plain.isIdle()) this.#length = 0;
    else if (this.#column <= MAX_WIDTH) {
      const line = this.#length < this.#line.length ? this.#line : this.#grow();
      line[this.#length] = code;
      line[this.#length + 1] = start;
      line[this.#length + 2] = end;
      line[this.#length + 3] = count;
      this.#length += 4;
    }
    if (!this.#isJoining) return;
    this.#joined?.sink.push(code, start, end);
    if (this.#joined?.sink.isIdle() === true) this.#stop();
  }

  interrupt(): void {
    this.#plain.interrupt();
    this.#stop();
    this.#clearLine();
  }

  isIdle(): boolean {
    return this.#plain.isIdle() && (!this.#isJoining || this.#joined?.sink.isIdle() !== false);
  }

  pendingFrom(): number {
    const pending = this.#plain.pendingFrom();
    return this.#isJoining ? Math.min(pending, this.#joined?.sink.pendingFrom() ?? pending) : pending;
  }

  /** Resumes in the middle of a line. */
  resume(column: number): void {
    this.#column = column;
    this.#from = column;
  }

  #endLine({ start, end }: { start: number; end: number }, mayBegin: boolean, isComplete: boolean): void {
    const width = this.#column;
    if (this.#isJoining && width > 0 && width === this.#laterWidth) this.#width = width;
    this.#laterWidth = 0;
    if (this.#isJoining && width > this.#width) this.#stop();
    if (this.#isJoining) {
      if (width < this.#width || isComplete) this.#joined?.sink.push(NEWLINE, start, end);
      else this.#skip();
      if (this.#joined?.sink.isIdle() === true) this.#stop();
    } else if (mayBegin && width >= MIN_WIDTH && width <= MAX_WIDTH && !this.#plain.isIdle()) {
      this.#begin(width);
    }
    this.#clearLine();
  }

  #endsInNewline(): boolean {
    return this.#column > 0 && this.#plainUnits.lastNewline === this.#plainUnits.count;
  }

  #begin(width: number): void {
    this.#width = width;
    this.#laterWidth = width - this.#from;
    this.#isJoining = true;
    this.#joined ??= this.#open();
    const units = this.#units ?? { count: 0, lastBreak: 0, lastNewline: 0 };
    const { count } = units;
    for (let index = 0; index < this.#length; index += 4) {
      const [code = 0, start = 0, end = 0, at = 0] = this.#line.subarray(index, index + 4);
      units.count = at;
      this.#joined.sink.push(code, start, end);
    }
    units.count = count;
    this.#skip();
  }

  #skip(): void {
    if (this.#joined !== undefined) this.#joined.units.lastBreak = this.#joined.units.count;
  }

  #stop(): void {
    if (this.#isJoining) this.#joined?.sink.interrupt();
    this.#isJoining = false;
  }

  #clearLine(): void {
    this.#column = 0;
    this.#from = 0;
    this.#length = 0;
  }

  #grow(): Float64Array {
    const line = new Float64Array(2 * this.#line.length);
    line.set(this.#line);
    this.#line = line;
    return line;
  }
}
