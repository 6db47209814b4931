import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { forgetAborted, whenAborted } from "../session/when-aborted.ts";

/** The part of a response that has arrived so far. */
export interface StreamedText {
  /** Whether any content has arrived. */
  hasStarted: boolean;
  /** Received text, in chunks. The chunks are joined only if the response is cut off. */
  pieces: string[];
  /** Number of characters so far, including reasoning and arguments of calls. */
  size: number;
}

/**
 * Returns the error for a response above `maxResponseChars`. The limit prevents a runaway response from exhausting
 * memory.
 */
export function responseTooLarge({ profile, config }: SessionCore): EngineError {
  return new EngineError("llm.answer_too_large", { provider: profile.provider, maxChars: config.maxResponseChars });
}

/** Discards the received text, and returns the error for a response that is too large. */
function tooLarge(core: SessionCore, partial: StreamedText): EngineError {
  partial.pieces = [];
  return responseTooLarge(core);
}

function grow(core: SessionCore, partial: StreamedText, characters: number): void {
  partial.size += characters;
  if (partial.size > core.config.maxResponseChars) throw tooLarge(core, partial);
}

function begin(core: SessionCore, partial: StreamedText): void {
  partial.hasStarted = true;
  core.turnRetries.begin();
  core.emit("assistant_text_start", {});
}

/** Handles a stream event other than text. Returns the response when it is complete. */
function take(core: SessionCore, partial: StreamedText, event: StreamEvent): ModelResponse | undefined {
  switch (event.type) {
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
      // Tool calls are taken from the complete response. The loop does not use provider-specific events.
      return undefined;
  }
}

function brokenStream({ profile }: SessionCore): EngineError {
  const problem = "the stream ended before the response was complete";
  return new EngineError("llm.stream_broken", { provider: profile.provider, problem });
}

/** Response in progress, until it is complete, has failed or is aborted. */
export interface ResponseReceiver extends StreamedText {
  /** Whether the response has ended. */
  readonly isOver: boolean;
  /** Accepts the complete response. Has no effect after the end. */
  accept(response: ModelResponse): void;
  /** Accepts an error. Has no effect after the end. */
  fail(error: unknown): void;
  /** Fails the response immediately because the session was aborted. */
  readonly giveUp: () => void;
}

/**
 * Streams a response and emits its increments. Fails with `llm.stream_broken` if the stream ends before the response
 * does. Ends when the session is aborted, even if the client ignores the signal. Partial tool calls are dropped, and
 * the stream is always closed. Never rejects. See loop: §2.5 step 3, §2.9. Text is handled in this function because
 * increments are frequent: a callback would cost a promise each, and V8 compiles each function on their path
 * separately.
 */
export async function readStream(core: SessionCore, request: ModelRequest, awaited: ResponseReceiver): Promise<void> {
  whenAborted(core.signal, awaited.giveUp);
  try {
    const stream = core.client.stream(request)[Symbol.asyncIterator]();
    let response: ModelResponse | undefined;
    try {
      while (response === undefined) {
        const next = await stream.next();
        if (awaited.isOver) return;
        if (next.done === true) throw brokenStream(core);
        const event = next.value;
        if (!awaited.hasStarted) begin(core, awaited);
        if (event.type === "text_delta") {
          const { text } = event;
          if (awaited.size + text.length > core.config.maxResponseChars) throw tooLarge(core, awaited);
          awaited.size += text.length;
          awaited.pieces.push(text);
          core.emit("assistant_text_delta", { type: "token", content: text });
        } else {
          response = take(core, awaited, event);
        }
      }
    } finally {
      await stream.return?.();
    }
    awaited.accept(response);
  } catch (error) {
    awaited.fail(error);
  } finally {
    forgetAborted(core.signal, awaited.giveUp);
  }
}
