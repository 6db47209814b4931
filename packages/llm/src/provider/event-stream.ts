import type { LanguageModelV3StreamPart, SharedV3Headers } from "@ai-sdk/provider";
import type { StreamEvent } from "@switchyard/contracts";
import { buildResponse, loadModel, type OpenCall, toError } from "./open-call.ts";

type Step = IteratorResult<StreamEvent, undefined>;
type PartReader = ReadableStreamDefaultReader<LanguageModelV3StreamPart>;

const OVER: Step = { done: true, value: undefined };
const NONE: readonly StreamEvent[] = [];

/**
 * Event stream of one response. Implements the iterator by hand, because an async generator costs one more promise for
 * each of thousands of events. As in an async generator, concurrent `next` calls are queued.
 */
export class EventStream implements AsyncIterator<StreamEvent, undefined> {
  readonly #open: OpenCall;
  #reader: PartReader | undefined;
  #headers: SharedV3Headers | undefined;
  /** Events of the latest AI SDK part. `#delivered` is the number of these events that were delivered. */
  #events = NONE;
  #delivered = 0;
  #hadContent = false;
  #isOver = false;
  /** Number of pending `next` and `return` calls. `#latest` is the result of the last of these calls. */
  #waiting = 0;
  #latest: Promise<Step> = Promise.resolve(OVER);

  constructor(open: OpenCall) {
    this.#open = open;
  }

  next(): Promise<Step> {
    this.#waiting += 1;
    this.#latest = this.#waiting === 1 ? this.#step() : this.#later(() => this.#step());
    return this.#latest;
  }

  /** Called when the consumer stops. Closes the connection. */
  return(): Promise<Step> {
    this.#waiting += 1;
    this.#latest = this.#later(() => this.#close());
    return this.#latest;
  }

  #later(step: () => Promise<Step>): Promise<Step> {
    return this.#latest.then(step, step);
  }

  async #step(): Promise<Step> {
    try {
      for (;;) {
        const event = this.#events[this.#delivered];
        if (event !== undefined) {
          this.#delivered += 1;
          return { done: false, value: event };
        }
        if (this.#isOver) return OVER;
        this.#resume();
        const reader = this.#reader ?? (await this.#start());
        const { done, value } = await reader.read();
        const cut = this.#open.call.cutOff();
        if (cut !== undefined) throw cut;
        if (done) this.#finish();
        else this.#take(value);
      }
    } catch (error) {
      const failure = toError(error, this.#open);
      this.#end(false);
      throw failure;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #close(): Promise<Step> {
    this.#events = NONE;
    this.#end(false);
    this.#waiting -= 1;
    return OVER;
  }

  async #start(): Promise<PartReader> {
    const { call, options } = this.#open;
    const model = await loadModel(this.#open);
    const { stream, response } = await call.guard(model.doStream(options));
    // The prompt was already sent. The AI SDK references the options until the response ends.
    // Replacing the prompt with an empty one releases the memory of the message history.
    options.prompt = [];
    const reader = stream.getReader();
    // A pending read ends when the call is cut off, even if the connection does not close.
    call.onCutOff(() => reader.cancel().catch(() => undefined));
    this.#headers = response?.headers;
    this.#reader = reader;
    return reader;
  }

  #take(part: LanguageModelV3StreamPart): void {
    const { builder, call, context } = this.#open;
    if (part.type === "error") {
      if (context.dialect.isUnknownEvent?.(part.error) === true) return;
      throw part.error;
    }
    const events = builder.add(part);
    if (events.length === 0) return;
    this.#hadContent ||= events.some((event) => !event.type.endsWith("_start"));
    this.#events = events;
    this.#delivered = 0;
    call.pause();
  }

  /** Restarts the time limits of the model call when the consumer has processed the events. */
  #resume(): void {
    if (this.#events === NONE) return;
    this.#events = NONE;
    this.#open.call.resume(this.#hadContent);
  }

  #finish(): void {
    this.#end(true);
    this.#events = [{ type: "finish", response: buildResponse(this.#open, this.#headers) }];
    this.#delivered = 0;
  }

  #end(wasRead: boolean): void {
    if (!this.#isOver) this.#open.call.end(wasRead);
    this.#isOver = true;
  }
}
