/** Rewrites the bytes of a body for its consumer. */
export interface BodyRewriter {
  /** Accepts bytes of the body and returns the bytes to pass on instead, possibly none. */
  add(piece: Uint8Array): Uint8Array;
  /** Returns whether a JSON text is a complete response sent instead of a stream. Absent if no stream is expected. */
  isComplete?(body: Buffer): boolean;
  /** Called at the end of the body. Returns the bytes that `add` has held back, possibly none. */
  end(): Uint8Array;
}

/** Result of one read from a response body. */
export type BodyChunk = { done: false; value: Uint8Array } | { done: true; value: undefined };

/** A response body that has exactly one reader. */
export interface ReadBody {
  /** Reads the next bytes. */
  read(): Promise<BodyChunk>;
  /** Ends it early. */
  cancel(reason: unknown): Promise<void>;
  /** Does nothing: the body has only one reader, so no other reader waits for the lock. */
  releaseLock(): void;
}

/** Returns a body whose bytes pass through a rewriter. */
export function rewrittenBody(body: ReadBody, rewriter: BodyRewriter): ReadBody {
  let isOver = false;
  return {
    async read() {
      while (!isOver) {
        const { done, value } = await body.read();
        isOver = done;
        const rewritten = value === undefined ? rewriter.end() : rewriter.add(value);
        if (rewritten.byteLength > 0) return { done: false, value: rewritten };
      }
      return { done: true, value: undefined };
    },
    cancel: (reason) => body.cancel(reason),
    releaseLock: () => undefined,
  };
}
