import { EngineError } from "@switchyard/contracts";

/**
 * A stream of items that ends with a result. Consumers either iterate over the items once, or only await the result.
 */
export interface ResultStream<Piece, Result> extends AsyncIterable<Piece> {
  /**
   * Resolves with the result after the last item. Reads the items itself if there is no consumer. Rejects with the
   * failure, or with `llm.aborted` if the consumer stopped early.
   */
  result(): Promise<Result>;
}

/** Creates a stream with a final result. The source starts only when the stream is read or the result is awaited. */
export function createResultStream<Piece, Result>(
  run: () => AsyncIterator<Piece, Result, undefined>,
): ResultStream<Piece, Result> {
  let isStarted = false;
  let settle: { resolve: (result: Result) => void; reject: (error: unknown) => void } | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Prevents an unhandled rejection: a consumer of the items receives the failure from the iteration.
  result.catch(() => undefined);

  async function* read(): AsyncGenerator<Piece, void, undefined> {
    const pieces = run();
    let isOver = false;
    try {
      for (;;) {
        const next = await pieces.next();
        isOver = next.done === true;
        if (next.done === true) return settle?.resolve(next.value);
        yield next.value;
      }
    } catch (error) {
      isOver = true;
      settle?.reject(error);
      throw error;
    } finally {
      if (!isOver) {
        settle?.reject(new EngineError("llm.aborted", {}));
        await pieces.return?.();
      }
    }
  }
  async function drain(): Promise<void> {
    try {
      for await (const _ of read());
    } catch {
      // The failure is ignored here, because the result reports it.
    }
  }
  return {
    [Symbol.asyncIterator]() {
      if (isStarted) throw new EngineError("config.invalid", { field: "stream", problem: "it can be read once" });
      isStarted = true;
      return read();
    },
    result() {
      if (!isStarted) {
        isStarted = true;
        void drain();
      }
      return result;
    },
  };
}
