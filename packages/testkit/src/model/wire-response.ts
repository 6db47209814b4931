/** Wire formats of the three provider families. */
export type WireFormat = "openai" | "anthropic" | "gemini";

/** Usage of a response with some cached tokens, in each format. */
const USAGE = {
  openai: {
    ...{ input_tokens: 10, output_tokens: 2 },
    ...{ input_tokens_details: { cached_tokens: 4 }, output_tokens_details: { reasoning_tokens: 1 } },
  },
  anthropic: { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
  gemini: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12, cachedContentTokenCount: 4 },
} as const;

/**
 * Returns a complete response, not a stream, in the wire format of a provider family. It contains an assistant text, an
 * id and usage. For loopback servers that simulate a provider.
 */
export function wireResponse(format: WireFormat, text: string): Readonly<Record<string, unknown>> {
  switch (format) {
    case "openai": {
      const content = [{ type: "output_text", text, annotations: [] }];
      return {
        ...{ id: "resp_1", created_at: 1, model: "gpt-5.1", incomplete_details: null },
        output: [{ type: "message", role: "assistant", id: "msg_1", content }],
        usage: USAGE.openai,
      };
    }
    case "anthropic":
      return {
        ...{ type: "message", id: "msg_1", model: "claude-sonnet-4-5", role: "assistant" },
        content: [{ type: "text", text }],
        ...{ stop_reason: "end_turn", stop_sequence: null, usage: USAGE.anthropic },
      };
    case "gemini":
      return {
        responseId: "resp_1",
        candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }],
        usageMetadata: USAGE.gemini,
      };
  }
}
