import type { ModelResponse } from "./model-response.ts";

/** One event of a streamed response. See unified-llm-client: calls. */
export type StreamEvent =
  | { type: "stream_start"; id?: string | undefined; model?: string | undefined }
  | { type: "text_start"; textId: string }
  | { type: "text_delta"; textId: string; text: string }
  | { type: "text_end"; textId: string }
  | { type: "reasoning_start"; reasoningId: string }
  | { type: "reasoning_delta"; reasoningId: string; text: string }
  | { type: "reasoning_end"; reasoningId: string }
  | { type: "tool_call_start"; callId: string; name: string }
  | { type: "tool_call_delta"; callId: string; argumentsDelta: string }
  | { type: "tool_call_end"; callId: string; name: string; arguments: string }
  | { type: "finish"; response: ModelResponse }
  | { type: "error"; error: Error }
  | { type: "provider_event"; event: unknown };
