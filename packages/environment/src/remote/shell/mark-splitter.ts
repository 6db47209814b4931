const NEWLINE = 0x0a;
const NOTHING: Buffer = Buffer.alloc(0);

/** Handlers for a byte stream that contains marks: unique texts that a script prints before each report. */
export interface MarkHandlers {
  /** Receives the bytes between marks, in order. */
  data(bytes: Buffer): void;
  /**
   * Receives the text between a mark and the end of the line. Returns false if the bytes after this line must not be
   * parsed here.
   */
  mark(rest: string): boolean;
}

/** Finds marks in a byte stream that arrives in chunks of any size. */
export interface MarkSplitter {
  /** Processes a chunk. If a handler returned false, returns the remaining bytes of the chunk. */
  write(chunk: Uint8Array): Buffer;
  /** Handles the end of the stream: emits bytes that were buffered because they could have been the start of a mark. */
  end(): void;
}

/**
 * Creates a splitter that finds marks in a byte stream. A mark is a unique text that a script prints before a report.
 * The report is the rest of the mark's line. A mark need not be at the start of a line.
 */
export function createMarkSplitter(mark: string, handlers: MarkHandlers): MarkSplitter {
  const wanted = Buffer.from(mark);
  let held: Buffer = NOTHING;
  return {
    write(chunk) {
      let bytes = toBuffer(chunk);
      if (held.length > 0) bytes = Buffer.concat([held, bytes]);
      held = NOTHING;
      for (;;) {
        const at = bytes.indexOf(wanted);
        if (at < 0) break;
        const end = bytes.indexOf(NEWLINE, at + wanted.length);
        if (at > 0) handlers.data(bytes.subarray(0, at));
        if (end < 0) {
          held = Buffer.from(bytes.subarray(at));
          return NOTHING;
        }
        const rest = bytes.toString("utf8", at + wanted.length, end);
        bytes = bytes.subarray(end + 1);
        if (!handlers.mark(rest.trim())) return bytes;
      }
      const kept = startOfMark(bytes, wanted);
      if (bytes.length > kept) handlers.data(bytes.subarray(0, bytes.length - kept));
      if (kept > 0) held = Buffer.from(bytes.subarray(bytes.length - kept));
      return NOTHING;
    },
    end() {
      if (held.length > 0) handlers.data(held);
      held = NOTHING;
    },
  };
}

function toBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Returns how many bytes at the end of a chunk could be the start of a mark that continues in the next chunk. */
function startOfMark(bytes: Buffer, wanted: Buffer): number {
  for (let length = Math.min(bytes.length, wanted.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
