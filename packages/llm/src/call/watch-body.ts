import { EngineError } from "@switchyard/contracts";

/** What a watch over a body needs. */
export interface WatchBodyOptions {
  /** Most bytes to let through. */
  maxBytes: number;
  /** Past the limit: cut the body short instead of failing. */
  truncate: boolean;
  /** Provider that the error names. */
  provider: string;
  /** Told whenever bytes arrive. */
  heard: () => void;
}

/** Bytes that are read ahead of their reader. */
const MAX_AHEAD = 65_536;

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/**
 * A bounded body that reports every piece. Pieces that arrive while the reader is busy are handed on as one: each
 * goes through four streams of the AI SDK, and APIs send many small ones. Fails with `llm.invalid_response` past the limit.
 */
class WatchedBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #options: WatchBodyOptions;
  #ahead: Uint8Array[] = [];
  #aheadBytes = 0;
  #total = 0;
  #isReading = false;
  #isOver = false;
  #failure: { error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(source: ReadableStream<Uint8Array>, options: WatchBodyOptions) {
    this.#reader = source.getReader();
    this.#options = options;
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (!this.#isReading && !this.#isOver) void this.#read();
    if (this.#ahead.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#ahead.length > 0) {
      const pieces = this.#ahead;
      this.#ahead = [];
      this.#aheadBytes = 0;
      return controller.enqueue(joined(pieces));
    }
    if (this.#failure !== undefined) return controller.error(this.#failure.error);
    controller.close();
  }

  cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    return this.#reader.cancel(reason);
  }

  /** Reads until there is enough ahead; `pull` starts it again. */
  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      while (!this.#isOver && this.#aheadBytes < MAX_AHEAD) {
        const { done, value } = await this.#reader.read();
        if (done) this.#isOver = true;
        else await this.#take(value);
        this.#wake?.();
      }
    } catch (error) {
      this.#isOver = true;
      this.#failure = { error };
      this.#wake?.();
    } finally {
      this.#isReading = false;
    }
  }

  #take(piece: Uint8Array): Promise<void> | undefined {
    const { maxBytes, truncate, provider, heard } = this.#options;
    heard();
    this.#total += piece.byteLength;
    if (this.#total <= maxBytes) {
      this.#ahead.push(piece);
      this.#aheadBytes += piece.byteLength;
      return undefined;
    }
    this.#isOver = true;
    if (!truncate) {
      const problem = `it is larger than ${maxBytes} bytes`;
      this.#failure = { error: new EngineError("llm.invalid_response", { provider, problem }) };
    }
    return this.#reader.cancel();
  }
}

/**
 * The same response with a bounded body that reports every piece. Errors: `llm.invalid_response` past the limit.
 * Bytes are counted as they come out of any compression.
 */
export function watchBody(response: Response, options: WatchBodyOptions): Response {
  if (response.body === null) return response;
  const body = new ReadableStream(new WatchedBody(response.body, options), { highWaterMark: 0 });
  // A whole new response would cost a quarter of what we may add to a request; the AI SDK reads four properties of it.
  return new Proxy(response, {
    get(target, name) {
      if (name === "body") return body;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const { status, statusText, headers } = target;
      const whole = new Response(body, { status, statusText, headers });
      const method: unknown = Reflect.get(whole, name, whole);
      return typeof method === "function" ? method.bind(whole) : method;
    },
  });
}
