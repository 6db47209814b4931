import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import type { SessionCore } from "../session/session-core.ts";
import { forgetAborted, whenAborted } from "../session/when-aborted.ts";

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
export function responseTooLarge({ profile, config }: SessionCore): EngineError {
  return new EngineError("llm.answer_too_large", { provider: profile.provider, maxChars: config.maxResponseChars });
}

/** Lets go of what nobody could ever send back. */
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

/** Takes one event of an answer that is no text; gives the answer when it is whole. */
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
      // Tool calls are taken whole from the finished answer; provider events mean nothing to the loop.
      return undefined;
  }
}

function brokenStream({ profile }: SessionCore): EngineError {
  const problem = "the stream ended before the answer did";
  return new EngineError("llm.stream_broken", { provider: profile.provider, problem });
}

/** An answer that is on its way, until it is there, has failed or is given up: whichever comes first. */
export interface ResponseReceiver extends StreamedText {
  /** Whether nobody waits for it any more. */
  readonly isOver: boolean;
  /** Takes the whole answer; nothing when it is over. */
  accept(response: ModelResponse): void;
  /** Takes what reading it failed with; nothing when it is over. */
  fail(error: unknown): void;
  /** Ends it at once, as the session was aborted. */
  readonly giveUp: () => void;
}

/**
 * Streams one answer, telling the host of each increment. Fails with `llm.stream_broken` when the stream ends before the
 * answer does; it is given up as soon as the session is aborted, whether or not the client heeds the signal; nothing of a
 * half tool call is kept. Whatever happens the stream is left. Never rejects. loop: §2.5 step 3, §2.9.
 *
 * One function that awaits each increment and deals with text, which comes by the thousand: a callback makes a promise
 * more, and each function on the way is compiled by itself.
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
