/** Keeps the end of what a server prints for people. */
export interface ErrorTail {
  /** Reads a stream to its end; never rejects. */
  follow(stream: ReadableStream<Uint8Array>): Promise<void>;
  /** The last characters that came. */
  text(): string;
}

/** Text without secrets, piece by piece. */
export interface MaskedText {
  /** Takes a piece and gives what is sure by now. */
  write(chunk: string): string;
  /** What was held back. */
  end(): string;
}

/** Makes one that keeps at most so many characters, without secrets. */
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
        // What came before is all there is.
      }
      add(mask.end());
    },
    text: () => tail,
  };
}
