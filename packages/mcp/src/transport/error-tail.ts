/** Buffer with the last part of a server's error output. */
export interface ErrorTail {
  /** Reads the standard error stream of a server to its end. Never rejects. */
  follow(stream: ReadableStream<Uint8Array>): Promise<void>;
  /** Returns the last characters. */
  text(): string;
}

/** Masks secrets in a text that arrives in chunks. */
export interface MaskedText {
  /** Adds a chunk. Returns text that is certain to contain no secret. */
  write(chunk: string): string;
  /** Returns the buffered rest. */
  end(): string;
}

/** Creates a buffer of the last error output of a server, of limited length and with secrets masked. */
export function createErrorTail(maxChars: number, mask: MaskedText): ErrorTail {
  let tail = "";
  const add = (text: string): void => {
    tail = (tail + text).slice(-maxChars);
  };
  return {
    async follow(stream) {
      const decoder = new TextDecoder();
      try {
        for await (const chunk of stream) add(mask.write(decoder.decode(chunk, { stream: true })));
      } catch {
        // If reading fails, only the output that was read before is available.
      }
      add(mask.end());
    },
    text: () => tail,
  };
}
