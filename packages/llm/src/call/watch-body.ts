import { nextTick } from "node:process";
import { EngineError } from "@switchyard/contracts";
import { UnstreamedResponse } from "../failure/unstreamed-response.ts";
import { type BodyChunk, type BodyRewriter, type ReadBody, rewrittenBody } from "../normalisation/rewritten-body.ts";
import type { UsageLines } from "../partial-usage/usage-lines.ts";
import { type LastEvent, LastEventSearch } from "./last-event.ts";
import type { Schedule } from "./schedule.ts";

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
  /** Of a stream: how it ends, though the connection stays open or breaks. */
  stream?: StreamEnd | undefined;
  /** The failure of a body that is markup, where it has to be an answer. */
  notAnswer?: (() => EngineError) | undefined;
  /** Changes the bytes on their way to the reader. */
  rewriter?: BodyRewriter | undefined;
}

/** What is needed to see the end of a stream. */
interface StreamEnd {
  /** How its last event looks. */
  lastEvent: LastEvent;
  /** Timers. */
  schedule: Schedule;
  /** Collects what the stream says about usage. */
  usage: UsageLines;
  /** Is given what ends a stream that falls silent: true where its last event had come. */
  onSilence: (end: () => boolean) => void;
}

/** Bytes that are read ahead of their reader. */
const MAX_AHEAD = 65_536;

/** How long the end of a connection is awaited behind a last event: one that ends can be used again. */
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
  readonly #search: LastEventSearch | undefined;

  constructor(source: ReadableStream<Uint8Array>, options: WatchBodyOptions) {
    this.#reader = source.getReader();
    this.#options = options;
    const { stream } = options;
    if (stream === undefined) return;
    this.#search = new LastEventSearch(stream.lastEvent);
    stream.onSilence(() => this.#endIfWhole());
  }

  /** What a reader of a stream gives; all that has arrived at once. */
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
      if (this.#failure !== undefined && this.#search?.isWhole() !== true) throw this.#failure.error;
      if (this.#isOver) return { done: true, value: undefined };
      const arrival = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (!this.#isReading) void this.#read();
      const cancelEnd = this.#endSoon();
      await arrival;
      cancelEnd?.();
      // What one packet brought comes piece by piece, promise by promise; a tick comes when none of those is left.
      if (!this.#isOver) await new Promise<void>((resolve) => nextTick(resolve));
    }
  }

  /**
   * Throws a body that begins as no answer does: with markup, or as a JSON text where a stream was asked for and which is no
   * response either.
   */
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
    if (this.#options.rewriter?.isWhole?.(body) !== true) throw new UnstreamedResponse(body.toString());
    this.#ahead.unshift(body);
  }

  /** Ends a body whose last event has come, unless it does so by itself; the answer cancels that. */
  #endSoon(): (() => void) | undefined {
    const { stream } = this.#options;
    if (stream?.lastEvent.isFinal !== true || this.#search?.isWhole() !== true) return undefined;
    return stream.schedule(() => this.#endIfWhole(), END_MS);
  }

  #endIfWhole(): boolean {
    if (this.#search?.isWhole() !== true) return false;
    this.cancel(undefined).catch(() => undefined);
    this.#wake?.();
    return true;
  }

  cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    return this.#reader.cancel(reason);
  }

  /** The body belongs to one reader. */
  releaseLock(): void {}

  /** Reads until there is enough ahead; `read` starts it again. */
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

/** The body as a stream, for whoever needs more than a reader. */
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

/** What `target` has, but for one property. */
function property<T extends object>(target: T, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? value.bind(target) : value;
}

function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream/i.test(headers.get("content-type") ?? "");
}

/**
 * The same response with a bounded body that reports every piece. Errors: `llm.invalid_response` past the limit;
 * an `UnstreamedResponse` where a stream was asked for. Bytes are counted as they come out of any compression. The AI SDK
 * takes a reader of the body and no more: a stream and a response round it, which cost as much as the rest of our part of a
 * request, are made for others only.
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
