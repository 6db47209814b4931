/** Start of the field with the token counts in every wire format: `usage` or `usageMetadata`. */
const MARKER = Buffer.from('"usage');

/**
 * Text after `MARKER` in an event whose field `usage` is `null`, because the event reports no usage yet. In OpenAI's
 * APIs, these are all events except the last.
 */
const WITHOUT_COUNTS: readonly Buffer[] = [Buffer.from('":null'), Buffer.from('": null')];

const LINE_FEED = 0x0a;

/**
 * Maximum length of a stored line, in bytes. A longer line is not stored. Only the last event of a stream is that long,
 * because it contains the complete response. The lines are intended for responses that fail before that event.
 */
const MAX_LINE_BYTES = 262_144;

/** Maximum number of stored lines. Beyond it, only the first line and the latest lines are kept. */
const MAX_LINES = 4;

/** Collects the stream lines that report usage, for a response that fails before its end. */
export class UsageLines {
  /** Unfinished last line of the previous chunk. */
  #open: Uint8Array[] = [];
  #openBytes = 0;
  readonly #lines: string[] = [];

  /** Adds the next bytes of the response stream. */
  add(piece: Uint8Array): void {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    // Most chunks consist of complete events without usage. They need only one search.
    if (this.#openBytes === 0 && bytes.at(-1) === LINE_FEED && !reportsUsage(bytes)) return;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      this.#grow(bytes.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    if (start < bytes.byteLength) this.#grow(bytes.subarray(start));
  }

  /** Lines that report usage so far, in order. */
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
    if (this.#openBytes <= MAX_LINE_BYTES && reportsUsage(line)) {
      this.#lines.push(line.toString());
      // The first line, with the input token count, and the newest lines, with the output token count, are stored.
      if (this.#lines.length > MAX_LINES) this.#lines.splice(1, 1);
    }
    this.#open = [];
    this.#openBytes = 0;
  }
}

function reportsUsage(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(MARKER); at >= 0; at = bytes.indexOf(MARKER, at)) {
    at += MARKER.byteLength;
    if (!WITHOUT_COUNTS.some((text) => bytes.subarray(at, at + text.byteLength).equals(text))) return true;
  }
  return false;
}
