/** Changes the bytes of a body on their way to the reader. */
export interface BodyRewriter {
  /** The bytes to hand on instead of these; may be none. */
  add(piece: Uint8Array): Uint8Array;
  /** True if a JSON text is a whole response, which a server has sent instead of a stream; absent if no stream is expected. */
  isWhole?(body: Buffer): boolean;
  /** The bytes that are left when the body has ended. */
  end(): Uint8Array;
}

/** What a reader of a body gives. */
export type BodyChunk = { done: false; value: Uint8Array } | { done: true; value: undefined };

/** A body as its one reader sees it. */
export interface ReadBody {
  /** The next bytes. */
  read(): Promise<BodyChunk>;
  /** Ends it early. */
  cancel(reason: unknown): Promise<void>;
  /** The body belongs to one reader. */
  releaseLock(): void;
}

/** A body whose bytes go through a rewriter. */
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
