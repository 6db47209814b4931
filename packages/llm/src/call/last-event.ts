/** How the last event of a stream looks on the wire. */
export interface LastEvent {
  /** What it has in it and the many events before it have not. */
  readonly word: string;
  /**
   * How it begins, behind the end of a line or with a quote: inside of JSON these are escaped, so that no answer can
   * say it. Without a flag that keeps state.
   */
  readonly mark: RegExp;
  /** Whether nothing may come behind it. Else it is the last only where the stream breaks off or falls silent. */
  readonly isFinal: boolean;
}

/** Units that are kept of a piece, for a mark that is cut in two; longer than any mark. */
const KEPT = 64;
const EVENT_END = /(?:\n\n|\r\n\r\n|\r\r)$/;

function endsLine(bytes: Uint8Array): boolean {
  const last = bytes[bytes.byteLength - 1];
  return last === 0x0a || last === 0x0d;
}

/** Looks for the last event of a stream in its bytes. */
export class LastEventSearch {
  readonly #mark: RegExp;
  readonly #word: Buffer;
  #kept = "\n";
  #isCut = false;
  #isMarked = false;

  constructor({ mark, word }: LastEvent) {
    this.#mark = mark;
    this.#word = Buffer.from(word);
  }

  /** Takes the next bytes. Most pieces are whole events without the word, and cost no more than a search for it. */
  add(piece: Uint8Array): void {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const wasCut = this.#isCut || this.#isMarked;
    this.#isCut = !endsLine(bytes);
    if (!wasCut && !this.#isCut && !bytes.includes(this.#word)) {
      this.#kept = "\n";
      return;
    }
    const text = this.#kept + bytes.toString("latin1");
    this.#isMarked ||= this.#mark.test(text);
    this.#kept = text.slice(-KEPT);
  }

  /** Whether the last event has come, up to its end. */
  isWhole(): boolean {
    return this.#isMarked && EVENT_END.test(this.#kept);
  }
}
