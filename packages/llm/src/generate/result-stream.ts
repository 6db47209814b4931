import { EngineError } from "@switchyard/contracts";

/** Something that is made step by step: read its pieces once, or only wait for the result. */
export interface ResultStream<Piece, Result> extends AsyncIterable<Piece> {
  /**
   * The result, after the last piece. Reads the pieces itself when nobody does. Rejects with the failure, or with
   * `llm.aborted` when the reader left early.
   */
  result(): Promise<Result>;
}

/** Makes a stream of what is run; nothing runs before somebody reads or waits. */
export function createResultStream<Piece, Result>(
  run: () => AsyncIterator<Piece, Result, undefined>,
): ResultStream<Piece, Result> {
  let isStarted = false;
  let settle: { resolve: (result: Result) => void; reject: (error: unknown) => void } | undefined;
  const result = new Promise<Result>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Whoever reads the pieces sees the failure there.
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
      // The result says so.
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
