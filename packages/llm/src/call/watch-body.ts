import { nextTick } from "node:process";
import { EngineError } from "@switchyard/contracts";
import { UnstreamedResponse } from "../failure/unstreamed-response.ts";
import { type BodyChunk, type BodyRewriter, type ReadBody, rewrittenBody } from "../normalisation/rewritten-body.ts";
import type { UsageLines } from "../partial-usage/usage-lines.ts";
import { type LastEvent, LastEventSearch } from "./last-event.ts";
import type { Schedule } from "./schedule.ts";

/** Options for monitoring a response body. */
export interface WatchBodyOptions {
  /** Maximum number of bytes. */
  maxBytes: number;
  /** True to truncate a larger body instead of failing. */
  truncate: boolean;
  /** Name of the provider, for errors. */
  provider: string;
  /** Called whenever bytes arrive. */
  received: () => void;
  /**
   * How to detect the end of a stream whose connection stays open or breaks. `undefined` for bodies that are not
   * streams.
   */
  stream?: StreamEnd | undefined;
  /** Creates the error for a body that is markup instead of a response. */
  notAnswer?: (() => EngineError) | undefined;
  /** Optional conversion of the bytes, before the consumer receives them. */
  rewriter?: BodyRewriter | undefined;
}

/** Options for detecting the end of a stream. */
interface StreamEnd {
  /** Format of the stream's last event. */
  lastEvent: LastEvent;
  /** Schedules timers. */
  schedule: Schedule;
  /** Collects usage reports of the stream. */
  usage: UsageLines;
  /**
   * Registers a handler that is called when the stream sends nothing more. The handler returns true if the last event
   * had arrived.
   */
  onSilence: (end: () => boolean) => void;
}

/** Maximum number of bytes that are buffered for the consumer. Reading pauses while the buffer is full. */
const MAX_AHEAD = 65_536;

/**
 * Time to wait for the end of the response body after the last event, in milliseconds. A connection can be reused only
 * if the body was read to its end.
 */
const END_MS = 250;

const JSON_BEGINNING = /^(?:\xef\xbb\xbf)?\s*[[{]/;
const MARKUP_BEGINNING = /^(?:\xef\xbb\xbf)?\s*</;

function beginsLike(bytes: Uint8Array, beginning: RegExp): boolean {
  return beginning.test(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64)).toString("latin1"));
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
}

/**
 * A body of limited size that reports every chunk. Chunks that arrive while the consumer is busy are merged, because
 * APIs send many small chunks and each passes through four AI SDK streams. Fails with `llm.invalid_response` if the
 * body is too large.
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
  readonly #search: LastEventSearch | undefined;

  constructor(source: ReadableStream<Uint8Array>, options: WatchBodyOptions) {
    this.#reader = source.getReader();
    this.#options = options;
    const { stream } = options;
    if (stream === undefined) return;
    this.#search = new LastEventSearch(stream.lastEvent);
    stream.onSilence(() => this.#endIfComplete());
  }

  /** Resolves with all bytes that have arrived since the last call. Waits if there are none. */
  async read(): Promise<BodyChunk> {
    for (;;) {
      const pieces = this.#ahead;
      if (pieces.length > 0) {
        this.#ahead = [];
        this.#aheadBytes = 0;
        const value = joined(pieces);
        this.#search?.add(value);
        this.#options.stream?.usage.add(value);
        return { done: false, value };
      }
      if (this.#failure !== undefined && this.#search?.isComplete() !== true) throw this.#failure.error;
      if (this.#isOver) return { done: true, value: undefined };
      const arrival = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!this.#isReading) void this.#read();
      const cancelEnd = this.#endSoon();
      await arrival;
      cancelEnd?.();
      // Waits for further chunks of the same network packet.
      // Each chunk arrives in a separate promise job, and `nextTick` runs after all of these jobs.
      if (!this.#isOver) await new Promise<void>((resolve) => nextTick(resolve));
    }
  }

  /** Throws if a body starts with markup, or is JSON that is not a response although a stream was requested. */
  async assertAnswer(): Promise<void> {
    const first = await this.read();
    if (first.done) return;
    const { notAnswer, stream } = this.#options;
    if (notAnswer !== undefined && beginsLike(first.value, MARKUP_BEGINNING)) throw notAnswer();
    if (stream === undefined || !beginsLike(first.value, JSON_BEGINNING)) {
      this.#ahead.unshift(first.value);
      return;
    }
    const pieces = [first.value];
    for (let piece = await this.read(); !piece.done; piece = await this.read()) pieces.push(piece.value);
    const body = Buffer.concat(pieces);
    if (this.#options.rewriter?.isComplete?.(body) !== true) throw new UnstreamedResponse(body.toString());
    this.#ahead.unshift(body);
  }

  /**
   * Schedules the end of the body after its last event, in case the connection stays open. Returns a function that
   * cancels the schedule.
   */
  #endSoon(): (() => void) | undefined {
    const { stream } = this.#options;
    if (stream?.lastEvent.isFinal !== true || this.#search?.isComplete() !== true) return undefined;
    return stream.schedule(() => this.#endIfComplete(), END_MS);
  }

  #endIfComplete(): boolean {
    if (this.#search?.isComplete() !== true) return false;
    this.cancel(undefined).catch(() => undefined);
    this.#wake?.();
    return true;
  }

  cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    return this.#reader.cancel(reason);
  }

  /** Does nothing: the reader interface requires the method, but the body has only one reader. */
  releaseLock(): void {}

  /** Reads ahead until the buffer is full. Reading continues when the consumer calls `read`. */
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
    const { maxBytes, truncate, provider, received } = this.#options;
    received();
    this.#total += piece.byteLength;
    if (this.#total <= maxBytes) {
      this.#ahead.push(piece);
      this.#aheadBytes += piece.byteLength;
      return undefined;
    }
    this.#isOver = true;
    if (!truncate) {
      const problem = `it exceeds the limit of ${maxBytes} bytes`;
      this.#failure = { error: new EngineError("llm.invalid_response", { provider, problem }) };
    }
    return this.#reader.cancel();
  }
}

/** Converts the body to a stream, for consumers that need more than a reader. */
function toStream(body: ReadBody): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await body.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => body.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Returns a copy of `target` with one property replaced. */
function property<T extends object>(target: T, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? value.bind(target) : value;
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream/i.test(headers.get("content-type") ?? "");
}

/**
 * Returns the same response with a body that is limited in size and reports every chunk. Bytes are counted after
 * decompression. Rejects with `llm.invalid_response` past the limit, or with an `UnstreamedResponse` if a stream was
 * requested.
 *
 * The AI SDK only calls `getReader` on the body. A new stream and response would cost as much as the rest of our work
 * per request, so they are created only for other consumers.
 */
export async function watchBody(response: Response, options: WatchBodyOptions): Promise<Response> {
  if (response.body === null) return response;
  const watched = new WatchedBody(response.body, options);
  if (options.notAnswer !== undefined && !isEventStream(response)) await watched.assertAnswer();
  const read = options.rewriter === undefined ? watched : rewrittenBody(watched, options.rewriter);
  const body = new Proxy(response.body, {
    get: (_, name) => (name === "getReader" ? () => read : property(toStream(read), name)),
  });
  return new Proxy(response, {
    get(target, name) {
      if (name === "body") return body;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const { status, statusText, headers } = target;
      return property(new Response(toStream(read), { status, statusText, headers }), name);
    },
  });
}
