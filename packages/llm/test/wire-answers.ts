import { wireResponse } from "@switchyard/testkit";
import type { Family } from "./families.ts";

const TEXT = "Hello";

/** A short complete response in each wire format. */
export const COMPLETE: Record<Family, object> = {
  openai: wireResponse("openai", TEXT),
  anthropic: wireResponse("anthropic", TEXT),
  gemini: wireResponse("gemini", TEXT),
};

/** A complete response with reasoning, including the data that its provider requires back. */
export const THOUGHTFUL: Record<Family, object> = {
  openai: {
    ...COMPLETE.openai,
    output: [
      {
        type: "reasoning",
        id: "rs_1",
        encrypted_content: "c2lnbmVk",
        summary: [{ type: "summary_text", text: "Hm." }],
      },
      {
        type: "message",
        role: "assistant",
        id: "msg_1",
        content: [{ type: "output_text", text: TEXT, annotations: [] }],
      },
    ],
    usage: { input_tokens: 10, output_tokens: 7, output_tokens_details: { reasoning_tokens: 5 } },
  },
  anthropic: {
    ...COMPLETE.anthropic,
    content: [
      { type: "thinking", thinking: "Hm.", signature: "c2lnbmVk" },
      { type: "text", text: TEXT },
    ],
    usage: { input_tokens: 10, output_tokens: 7 },
  },
  gemini: {
    responseId: "resp_1",
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text: "Hm.", thought: true },
            { text: TEXT, thoughtSignature: "c2lnbmVk" },
          ],
        },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, thoughtsTokenCount: 5, totalTokenCount: 17 },
  },
};

/** The events before any content. */
export const OPENING: Record<Family, readonly object[]> = {
  openai: [
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5.1" } },
    { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_1" } },
  ],
  anthropic: [
    {
      type: "message_start",
      message: {
        id: "msg_1",
        model: "claude-sonnet-4-5",
        content: [],
        usage: { input_tokens: 10, output_tokens: 0, cache_read_input_tokens: 4, cache_creation_input_tokens: 3 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  ],
  gemini: [],
};

/** One piece of text. */
export function piece(family: Family, text: string): object {
  if (family === "openai") return { type: "response.output_text.delta", item_id: "msg_1", delta: text };
  if (family === "anthropic") return { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } };
  return { responseId: "resp_1", candidates: [{ content: { role: "model", parts: [{ text }] } }] };
}

/** The events after the last part. */
export const CLOSING: Record<Family, readonly object[]> = {
  openai: [
    { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_1" } },
    {
      type: "response.completed",
      response: {
        incomplete_details: null,
        usage: {
          input_tokens: 10,
          output_tokens: 2,
          input_tokens_details: { cached_tokens: 4 },
          output_tokens_details: { reasoning_tokens: 1 },
        },
      },
    },
  ],
  anthropic: [
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ],
  gemini: [
    {
      responseId: "resp_1",
      candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12, cachedContentTokenCount: 4 },
    },
  ],
};

/** A complete stream of these parts. */
export function streamOf(family: Family, pieces: readonly string[]): readonly object[] {
  return [...OPENING[family], ...pieces.map((text) => piece(family, text)), ...CLOSING[family]];
}

/** A failure in the format of the family. */
export function refusal(family: Family, message: string, type = "invalid_request_error"): object {
  if (family === "gemini") return { error: { code: 400, message, status: type } };
  return family === "anthropic"
    ? { type: "error", error: { type, message } }
    : { error: { message, type, code: type } };
}
