/** How to recognise a stream's last event in the bytes of the stream. */
export interface LastEvent {
  /** Text that occurs in the last event of a stream and rarely in other events. */
  readonly word: string;
  /**
   * Pattern that identifies the last event. It must match a line end or a quote: both are escaped inside JSON strings,
   * so response content cannot imitate the pattern. Must not have the flag `g` or `y`, which store a position between
   * searches.
   */
  readonly mark: RegExp;
  /**
   * True if no further event can follow an event that matches `mark`. If false, a matching event counts as the last one
   * only when the connection fails or the stream sends nothing more.
   */
  readonly isFinal: boolean;
}

/**
 * Number of bytes at the end of a chunk that are searched again together with the next chunk. A match of
 * `LastEvent.mark` is therefore found even if it is split between two chunks. Must be larger than the longest possible
 * match.
 */
const RETAINED_CHARS = 64;
const EVENT_END = /(?:\n\n|\r\n\r\n|\r\r)$/;

function endsLine(bytes: Uint8Array): boolean {
  const last = bytes[bytes.byteLength - 1];
  return last === 0x0a || last === 0x0d;
}

/** Searches a stream's bytes for its last event. */
export class LastEventSearch {
  readonly #mark: RegExp;
  readonly #word: Buffer;
  #retained = "\n";
  #isCut = false;
  #isMarked = false;

  constructor({ mark, word }: LastEvent) {
    this.#mark = mark;
    this.#word = Buffer.from(word);
  }

  /** Adds a chunk of the stream. A fast search for `word` comes first, because most chunks do not contain that word. */
  add(piece: Uint8Array): void {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const wasCut = this.#isCut || this.#isMarked;
    this.#isCut = !endsLine(bytes);
    if (!wasCut && !this.#isCut && !bytes.includes(this.#word)) {
      this.#retained = "\n";
      return;
    }
    const text = this.#retained + bytes.toString("latin1");
    this.#isMarked ||= this.#mark.test(text);
    this.#retained = text.slice(-RETAINED_CHARS);
  }

  /** Returns whether the last event has arrived completely. */
  isComplete(): boolean {
    return this.#isMarked && EVENT_END.test(this.#retained);
  }
}
