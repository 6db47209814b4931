import type { Client, ModelRequest, ModelResponse, Part, StreamEvent } from "@switchyard/contracts";
import { textOf } from "@switchyard/contracts";

/** How a model that is keyed by the conversation answers. */
export interface ConversationClientOptions {
  /** The parts of an answer, by the request and how many answers its conversation has already; nothing for too many. */
  readonly answer: (request: ModelRequest, number: number) => readonly Part[] | undefined;
  /** Called before each answer, and behind it; awaited. */
  readonly onCall?: ((moment: "asked" | "answered", request: ModelRequest) => Promise<void> | void) | undefined;
}

/**
 * A model whose answer depends on nothing but the conversation, so that whoever asks again, in whatever process, is
 * answered the same, under the same id. Ids of answers are only unique in a conversation.
 */
export function conversationClient({ answer, onCall }: ConversationClientOptions): Client {
  async function complete(request: ModelRequest): Promise<ModelResponse> {
    await onCall?.("asked", request);
    const number = request.messages.filter(({ role }) => role === "assistant").length;
    const parts = answer(request, number);
    if (parts === undefined) throw new Error(`The model has no answer number ${number + 1}.`);
    const [inputTokens, outputTokens] = [10 * request.messages.length, number + 1];
    const response: ModelResponse = {
      id: `answer-${number + 1}`,
      model: request.model,
      provider: "scripted",
      message: { role: "assistant", parts },
      finishReason: { unified: parts.some(({ type }) => type === "tool_call") ? "tool_calls" : "stop" },
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      warnings: [],
    };
    await onCall?.("answered", request);
    return response;
  }

  async function* stream(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const response = await complete(request);
    const said = textOf(response.message);
    if (said !== "") yield { type: "text_delta", textId: "1", text: said };
    yield { type: "finish", response };
  }

  return { complete, stream, close: async () => {} };
}
