const NEWLINE = 0x0a;
const EMPTY: Buffer = Buffer.alloc(0);
/**
 * Maximum number of bytes that can match the start of a mark by coincidence. If more bytes match, they are assumed to
 * be a mark whose rest has not arrived yet.
 */
const MAX_RANDOM_START = 8;

/** Handlers for a byte stream that contains marks: unique texts that a script prints before each report. */
export interface MarkHandlers {
  /** Receives the output between the reports of the script, in order. */
  data(bytes: Buffer): void;
  /**
   * Receives a report: the text between a mark and the end of its line. Returns true if the splitter is to search the
   * bytes after this line for more marks. If it returns false, `write` returns these bytes.
   */
  mark(rest: string): boolean;
}

/** Finds marks in a byte stream that arrives in chunks of any size. */
export interface MarkSplitter {
  /** Processes a chunk. If a handler returned false, returns the remaining bytes of the chunk. */
  write(chunk: Uint8Array): Buffer;
  /**
   * True if the splitter holds back bytes that may be ordinary output: they match at most the first eight bytes of a
   * mark (the unique text before a report). A longer match is no coincidence, so the rest of the mark will arrive.
   */
  readonly holdsOutput: boolean;
  /**
   * Emits the bytes that the splitter holds back, but also remembers them: if the next bytes complete a mark, the mark
   * is still found.
   */
  release(): void;
  /**
   * Handles the end of the stream. The bytes that the splitter still holds back are not a complete mark and report, so
   * they are emitted as output.
   */
  end(): void;
}

/**
 * Creates a splitter that finds marks in a byte stream. A mark is a unique text that a script prints before a report.
 * The report is the rest of the mark's line. A mark need not be at the start of a line.
 */
export function createMarkSplitter(mark: string, handlers: MarkHandlers): MarkSplitter {
  const marker = Buffer.from(mark);
  let pending: Buffer = EMPTY;
  // Number of bytes at the start of `pending` that `release` has already emitted. They stay in `pending`, because the
  // next bytes may show that they are the start of a mark.
  let released = 0;
  // Emits the first `length` bytes of a buffer, except those that `release` has emitted. Returns the remaining bytes.
  const emit = (bytes: Buffer, length: number): Buffer => {
    if (length > released) handlers.data(bytes.subarray(released, length));
    released = Math.max(0, released - length);
    return bytes.subarray(length);
  };
  return {
    write(chunk) {
      let bytes = toBuffer(chunk);
      if (pending.length > 0) bytes = Buffer.concat([pending, bytes]);
      pending = EMPTY;
      for (;;) {
        const at = bytes.indexOf(marker);
        if (at < 0) break;
        const end = bytes.indexOf(NEWLINE, at + marker.length);
        bytes = emit(bytes, at);
        if (end < 0) {
          pending = Buffer.from(bytes);
          return EMPTY;
        }
        const rest = bytes.toString("utf8", marker.length, end - at);
        bytes = bytes.subarray(end - at + 1);
        released = 0;
        if (!handlers.mark(rest.trim())) return bytes;
      }
      pending = Buffer.from(emit(bytes, bytes.length - startOfMark(bytes, marker)));
      return EMPTY;
    },
    get holdsOutput() {
      return pending.length > released && pending.length <= MAX_RANDOM_START && pending.length < marker.length;
    },
    release() {
      emit(pending, pending.length);
      released = pending.length;
    },
    end() {
      emit(pending, pending.length);
      pending = EMPTY;
    },
  };
}

function toBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Returns how many bytes at the end of a chunk could be the start of a mark that continues in the next chunk. */
function startOfMark(bytes: Buffer, marker: Buffer): number {
  for (let length = Math.min(bytes.length, marker.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(marker.subarray(0, length))) return length;
  }
  return 0;
}
