import type { Message } from "./message.ts";
import type { ToolCallPart } from "./part.ts";
import type { Usage } from "./usage.ts";

/**
 * Why the model stopped. `unified` is a reason with the same meaning for all providers; `raw` is the provider's value.
 * See unified-llm-client: finish reason.
 */
export interface FinishReason {
  /** Reason with the same meaning for every provider. */
  unified: "stop" | "length" | "tool_calls" | "content_filter" | "error" | "other";
  /** The provider's value. */
  raw?: string | undefined;
  /**
   * Description of the problem as one sentence for the model. Set for `error` if the provider's value is more specific.
   */
  problem?: string | undefined;
  /** True if the provider paused the response. To continue, the caller sends the response back unchanged. */
  isPaused?: boolean | undefined;
}

/** Rate limits that the provider reported. */
export interface RateLimitInfo {
  /** Maximum number of requests per rate-limit window. */
  requestsLimit?: number | undefined;
  /** Maximum number of tokens per rate-limit window. */
  tokensLimit?: number | undefined;
  /** Number of requests that remain in the rate-limit window. */
  requestsRemaining?: number | undefined;
  /** Number of tokens that remain in the rate-limit window. */
  tokensRemaining?: number | undefined;
  /** End of the rate-limit window, in the provider's format. */
  resetAt?: string | undefined;
}

/** Response to one model call. See unified-llm-client: response. */
export interface ModelResponse {
  /** Id assigned by the provider. */
  id: string;
  /** Model that responded. */
  model: string;
  /** Provider that responded. */
  provider: string;
  /** The assistant's message. */
  message: Message;
  /** Why the model stopped. */
  finishReason: FinishReason;
  /** Token usage; zeros if the provider reported none. */
  usage: Usage;
  /** Request options that the provider ignored or changed, one sentence each. */
  warnings: readonly string[];
  /** Rate limits. `undefined` if the provider reports none. */
  rateLimit?: RateLimitInfo | undefined;
  /**
   * The provider's response as JSON; for a streamed response, an array of its events. Set if `includeRaw` was
   * requested.
   */
  raw?: unknown;
}

/** Returns the tool calls of a response, in order. */
export function toolCallsOf(response: ModelResponse): readonly ToolCallPart[] {
  return response.message.parts.filter((part) => part.type === "tool_call");
}
