import type { Message } from "./message.ts";
import type { ToolCallPart } from "./part.ts";
import type { Usage } from "./usage.ts";

/** Why the model stopped. `unified` is ours, `raw` the provider's own word. unified-llm-client: finish reason. */
export interface FinishReason {
  /** Same meaning for every provider. */
  unified: "stop" | "length" | "tool_calls" | "content_filter" | "error" | "other";
  /** As the provider says it. */
  raw?: string | undefined;
  /** What went wrong, as one sentence for the model; for `error`, where the provider's own word says more. */
  problem?: string | undefined;
  /** Whether the provider only paused the response: sent back as it is, it is continued. */
  isPaused?: boolean | undefined;
}

/** What the provider said about its limits. */
export interface RateLimitInfo {
  /** Requests that a window allows. */
  requestsLimit?: number | undefined;
  /** Tokens that a window allows. */
  tokensLimit?: number | undefined;
  /** Requests left in the window. */
  requestsRemaining?: number | undefined;
  /** Tokens left in the window. */
  tokensRemaining?: number | undefined;
  /** When the window ends, as the provider says it. */
  resetAt?: string | undefined;
}

/** The answer to one model call. unified-llm-client: response. */
export interface ModelResponse {
  /** Id the provider gave it. */
  id: string;
  /** Model that answered. */
  model: string;
  /** Provider that answered. */
  provider: string;
  /** The assistant's message. */
  message: Message;
  /** Why it stopped. */
  finishReason: FinishReason;
  /** Tokens; all zero when the provider said nothing. */
  usage: Usage;
  /** What the provider ignored or changed. */
  warnings: readonly string[];
  /** Limits, where the provider sends them. */
  rateLimit?: RateLimitInfo | undefined;
  /** What the provider sent, where the request asks for it: the JSON value; for a stream the list of its events. */
  raw?: unknown;
}

/** The tool calls of an answer, in order. */
export function toolCallsOf(response: ModelResponse): readonly ToolCallPart[] {
  return response.message.parts.filter((part) => part.type === "tool_call");
}
