/** What every wire format calls its counts of tokens: `usage` or `usageMetadata`. */
const WORD = Buffer.from('"usage');

/** Longest line that is kept, in bytes; a line with usage and a whole response in it says nothing of a partial one. */
const MAX_LINE_BYTES = 262_144;

/** Lines that are kept: the first and the last ones of a stream have all there is. */
const MAX_LINES = 4;

/** Collects the lines of a stream that report usage, for a response that fails before its end. */
export class UsageLines {
  /** The end of the last piece, behind its last line break. */
  #open: Uint8Array[] = [];
  #openBytes = 0;
  readonly #lines: string[] = [];

  /** Takes the next bytes of the stream. */
  add(piece: Uint8Array): void {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
      this.#grow(bytes.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < bytes.byteLength) this.#grow(bytes.subarray(start));
  }

  /** The lines so far that report usage, in order. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  #grow(bytes: Uint8Array): void {
    this.#openBytes += bytes.byteLength;
    if (this.#openBytes <= MAX_LINE_BYTES) this.#open.push(bytes);
  }

  #endLine(): void {
    const [only] = this.#open;
    const line =
      this.#open.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(this.#open);
    if (this.#openBytes <= MAX_LINE_BYTES && line.includes(WORD)) {
      this.#lines.push(line.toString());
      // The first has what went in, the last what came out.
      if (this.#lines.length > MAX_LINES) this.#lines.splice(1, 1);
    }
    this.#open = [];
    this.#openBytes = 0;
  }
}
