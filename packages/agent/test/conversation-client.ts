import type { Client, ModelRequest, ModelResponse, Part, StreamEvent } from "@switchyard/contracts";
import { textOf } from "@switchyard/contracts";

/** Options for `conversationClient`. */
export interface ConversationClientOptions {
  /**
   * Returns the parts of a response, given the request and the number of responses that its conversation already
   * contains. `undefined` if no further response is scripted.
   */
  readonly answer: (request: ModelRequest, number: number) => readonly Part[] | undefined;
  /** Called and awaited before and after each response. */
  readonly onCall?: ((moment: "asked" | "answered", request: ModelRequest) => Promise<void> | void) | undefined;
}

/**
 * Creates a client whose response depends only on the conversation. A repeated request, also from another process, gets
 * the same response with the same id. Response ids are only unique within a conversation.
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
    const text = textOf(response.message);
    if (text !== "") yield { type: "text_delta", textId: "1", text };
    yield { type: "finish", response };
  }

  return { complete, stream, close: async () => {} };
}
