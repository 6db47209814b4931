import { EngineError, type ModelRequest, type ModelResponse } from "@switchyard/contracts";
import type { SessionCore } from "./session-core.ts";

/** What of an answer has arrived so far. */
export interface StreamedText {
  /** Whether the model began to answer. */
  hasStarted: boolean;
  /** Its text so far. */
  text: string;
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
  partial.text = "";
  throw answerTooLarge(core);
}

/**
 * Streams one answer, telling the host of each increment. Rejects with `llm.stream_broken` when the stream ends
 * before the answer does; nothing of a half tool call is kept. loop: §2.5 step 3, §2.9.
 */
export async function readStream(
  core: SessionCore,
  request: ModelRequest,
  partial: StreamedText,
): Promise<ModelResponse> {
  for await (const event of core.client.stream(request)) {
    if (core.signal.aborted) throw new EngineError("llm.aborted");
    if (!partial.hasStarted) {
      partial.hasStarted = true;
      core.emit("assistant_text_start", {});
    }
    switch (event.type) {
      case "text_delta":
        grow(core, partial, event.text.length);
        partial.text += event.text;
        core.emit("assistant_text_delta", { type: "token", content: event.text });
        break;
      case "reasoning_delta":
        grow(core, partial, event.text.length);
        core.emit("reasoning_delta", { content: event.text });
        break;
      case "tool_call_delta":
        grow(core, partial, event.argumentsDelta.length);
        break;
      case "error":
        throw event.error;
      case "finish":
        return event.response;
      default:
        // Tool calls are taken whole from the finished answer; provider events mean nothing to the loop.
        break;
    }
  }
  const provider = request.provider ?? core.profile.provider;
  throw new EngineError("llm.stream_broken", { provider, problem: "the stream ended before the answer did" });
}
