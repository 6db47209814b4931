/** Wire format of a stream's last event. */
export interface LastEvent {
  /** Text that occurs in the last event and rarely in others. */
  readonly word: string;
  /**
   * Pattern at the start of the event, after a line end or with a quote. Inside JSON both are escaped, so response
   * content cannot imitate it. Must not have a flag that keeps state.
   */
  readonly mark: RegExp;
  /**
   * True if nothing may follow it. Otherwise it counts as the last event only if the stream then breaks off or falls
   * silent.
   */
  readonly isFinal: boolean;
}

/** Number of bytes kept from a chunk, for a mark split between chunks. Longer than any mark. */
const KEPT = 64;
const EVENT_END = /(?:\n\n|\r\n\r\n|\r\r)$/;

function endsLine(bytes: Uint8Array): boolean {
  const last = bytes[bytes.byteLength - 1];
  return last === 0x0a || last === 0x0d;
}

/** Searches a stream's bytes for its last event. */
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

  /** Adds bytes. Most chunks do not contain the text and cost only the search for it. */
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

  /** Returns whether the last event has arrived completely. */
  isWhole(): boolean {
    return this.#isMarked && EVENT_END.test(this.#kept);
  }
}
