/** Splits a byte stream into lines of limited length. */
export interface LineSplitter {
  /** Adds a chunk. Returns the lines that are completed by it, without line ends. */
  push(chunk: Uint8Array): readonly string[];
}

const LINE_FEED = 0x0a;

/**
 * Creates a splitter. A line of more than `maxBytes` is dropped and reported once, as soon as it is too long; the next
 * line is read normally.
 */
export function createLineSplitter(maxBytes: number, onTooLong: () => void): LineSplitter {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let bytes = 0;
  let isTooLong = false;

  function add(part: Uint8Array): void {
    bytes += part.length;
    if (isTooLong) return;
    if (bytes > maxBytes) {
      isTooLong = true;
      parts = [];
      onTooLong();
    } else if (part.length > 0) parts.push(part);
  }
  function take(): string | undefined {
    const wasTooLong = isTooLong;
    const text = wasTooLong ? undefined : decoder.decode(joined(parts, bytes));
    parts = [];
    bytes = 0;
    isTooLong = false;
    return text;
  }
  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, end));
        const line = take();
        if (line !== undefined) lines.push(line);
        from = end + 1;
      }
      add(chunk.subarray(from));
      return lines;
    },
  };
}

function joined(parts: readonly Uint8Array[], bytes: number): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
