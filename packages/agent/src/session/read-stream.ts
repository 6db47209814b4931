import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import type { SessionCore } from "./session-core.ts";
import { forgetAborted, whenAborted } from "./when-aborted.ts";

/** What of an answer has arrived so far. */
export interface StreamedText {
  /** Whether the model began to answer. */
  hasStarted: boolean;
  /** Its text so far, in the pieces it came in: only an answer that breaks off is put together from them. */
  pieces: string[];
  /** Characters so far, reasoning and arguments of calls included. */
  size: number;
}

/** The failure of an answer that goes on and on: memory is not the model's to fill. */
export function answerTooLarge({ profile, config }: SessionCore): EngineError {
  return new EngineError("llm.answer_too_large", { provider: profile.provider, maxChars: config.maxAnswerChars });
}

function grow(core: SessionCore, partial: StreamedText, characters: number): void {
  partial.size += characters;
  if (partial.size <= core.config.maxAnswerChars) return;
  // Nobody could ever send it back.
  partial.pieces = [];
  throw answerTooLarge(core);
}

/** Takes one event of an answer, telling the host of each increment; gives the answer when it is whole. */
function take(core: SessionCore, partial: StreamedText, event: StreamEvent): ModelResponse | undefined {
  if (!partial.hasStarted) {
    partial.hasStarted = true;
    core.emit("assistant_text_start", {});
  }
  switch (event.type) {
    case "text_delta":
      grow(core, partial, event.text.length);
      partial.pieces.push(event.text);
      core.emit("assistant_text_delta", { type: "token", content: event.text });
      return undefined;
    case "reasoning_delta":
      grow(core, partial, event.text.length);
      core.emit("reasoning_delta", { content: event.text });
      return undefined;
    case "tool_call_delta":
      grow(core, partial, event.argumentsDelta.length);
      return undefined;
    case "error":
      throw event.error;
    case "finish":
      return event.response;
    default:
      // Tool calls are taken whole from the finished answer; provider events mean nothing to the loop.
      return undefined;
  }
}

/** What an answer that is being read comes to, and what there is of it. */
interface Reading {
  readonly partial: StreamedText;
  readonly resolve: (response: ModelResponse) => void;
  readonly reject: (error: unknown) => void;
}

type Next = IteratorResult<StreamEvent, unknown>;

function ignore(): void {}

/** Reads one answer with one promise for all of it: a loop that awaits each increment makes several for each. */
class AnswerReader {
  readonly #core: SessionCore;
  readonly #stream: AsyncIterator<StreamEvent, unknown>;
  readonly #reading: Reading;
  #isOver = false;

  constructor(core: SessionCore, request: ModelRequest, reading: Reading) {
    this.#core = core;
    this.#reading = reading;
    this.#stream = core.client.stream(request)[Symbol.asyncIterator]();
  }

  start(): void {
    whenAborted(this.#core.signal, this.#giveUp);
    this.#pull();
  }

  #pull(): void {
    this.#stream.next().then(this.#onNext, this.#fail);
  }

  readonly #onNext = (next: Next): void => {
    if (this.#isOver) {
      if (next.done !== true) this.#leave(ignore);
      return;
    }
    try {
      if (next.done === true) throw brokenStream(this.#core);
      const response = take(this.#core, this.#reading.partial, next.value);
      if (response === undefined) this.#pull();
      else this.#leave(() => this.#end(() => this.#reading.resolve(response)));
    } catch (error) {
      this.#leave(() => this.#fail(error));
    }
  };

  /** Leaves the stream; what the client still does then belongs to the answer. */
  #leave(settle: () => void): void {
    const left = this.#stream.return?.();
    if (left === undefined) settle();
    else left.then(settle, this.#fail);
  }

  #end(settle: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    forgetAborted(this.#core.signal, this.#giveUp);
    settle();
  }

  readonly #fail = (error: unknown): void => this.#end(() => this.#reading.reject(error));

  readonly #giveUp = (): void => this.#fail(new EngineError("llm.aborted", {}, { cause: this.#core.signal.reason }));
}

function brokenStream({ profile }: SessionCore): EngineError {
  const problem = "the stream ended before the answer did";
  return new EngineError("llm.stream_broken", { provider: profile.provider, problem });
}

/**
 * Streams one answer, telling the host of each increment. Rejects with `llm.stream_broken` when the stream ends
 * before the answer does, and with `llm.aborted` as soon as the session is aborted, whether or not the client heeds the
 * signal; nothing of a half tool call is kept. loop: §2.5 step 3, §2.9.
 */
export function readStream(core: SessionCore, request: ModelRequest, partial: StreamedText): Promise<ModelResponse> {
  return new Promise((resolve, reject) => new AnswerReader(core, request, { partial, resolve, reject }).start());
}
