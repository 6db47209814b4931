/** Maximum length of a line that is delivered complete, in bytes. See agent-adapter: fork per turn. */
export const MAX_LINE_BYTES: number = 10 * 1024 * 1024;
/** Number of bytes that are stored from the beginning of a line that is too long. */
const EXCERPT_BYTES = 4 * 1024;

/** One line of output. */
export interface OutputLine {
  /** Text without its line ending. Invalid UTF-8 is replaced. If the line is too long, contains only its beginning. */
  readonly text: string;
  /** True if the line was too long and is truncated. */
  readonly isCut: boolean;
}

/** Options for reading lines. */
export interface ReadLinesOptions {
  /** Called with each line, in order. */
  readonly onLine: (line: OutputLine) => void;
  /** Ends reading when this signal aborts. Lines read so far are delivered. */
  readonly signal: AbortSignal;
  /** Maximum length of a line, in bytes. */
  readonly maxLineBytes?: number | undefined;
}

/** Collects the bytes of one line. If the line is too long, only its beginning is stored. */
class LineCollector {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder("utf-8");
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #isCut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#bytes === 0 && !this.#isCut;
  }

  add(part: Uint8Array): void {
    if (this.#isCut || part.length === 0) return;
    if (this.#bytes + part.length > this.#maxBytes) {
      this.#parts = [Buffer.concat([...this.#parts, part]).subarray(0, EXCERPT_BYTES)];
      this.#isCut = true;
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  take(): OutputLine {
    const text = this.#decoder.decode(Buffer.concat(this.#parts)).replace(/\r$/u, "");
    const line = { text, isCut: this.#isCut };
    this.#parts = [];
    this.#bytes = 0;
    this.#isCut = false;
    return line;
  }
}

/** Splits a byte stream into lines. */
export interface LineSplitter {
  /** Adds bytes. */
  write(chunk: Uint8Array): void;
  /** Delivers the remaining text as the last line, if the output does not end with a line ending. */
  end(): void;
}

/** Creates a line splitter. Memory is bounded: only the beginning of a line that is too long is stored. */
export function createLineSplitter(
  onLine: (line: OutputLine) => void,
  maxLineBytes: number = MAX_LINE_BYTES,
): LineSplitter {
  const line = new LineCollector(maxLineBytes);
  return {
    write(chunk) {
      let from = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        line.add(chunk.subarray(from, end));
        from = end + 1;
        onLine(line.take());
      }
      line.add(chunk.subarray(from));
    },
    end() {
      if (!line.isEmpty) onLine(line.take());
    },
  };
}

/** Reads a stream line by line to its end. The last line needs no line ending. Rejects if the stream fails. */
export async function readLines(stream: ReadableStream<Uint8Array>, options: ReadLinesOptions): Promise<void> {
  const lines = createLineSplitter(options.onLine, options.maxLineBytes);
  await readChunks(stream, options.signal, lines.write);
  lines.end();
}

/** Reads a stream to its end, or until the signal aborts. Rejects if the stream fails. */
export async function readChunks(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onChunk: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = stream.getReader();
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk(value);
    }
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
