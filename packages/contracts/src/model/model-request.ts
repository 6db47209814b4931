import type { Message } from "./message.ts";

/** Definition of a tool that is sent to the model. See loop: §3.8. */
export interface ToolDefinition {
  /** Name, unique within a request. */
  name: string;
  /** Description for the model. */
  description: string;
  /** JSON Schema whose root is an object. */
  parameters: Readonly<Record<string, unknown>>;
  /**
   * Owner of the tool, for warnings, such as `the MCP server files`. Not sent to the model. `undefined` for tools of
   * the host.
   */
  source?: string | undefined;
}

/** Whether the model may or must call a tool, and which. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/** Format of the response. */
export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | { readonly type: "json_schema"; readonly name: string; readonly schema: Readonly<Record<string, unknown>> };

/** A failed model call that will be retried. */
export interface RetryNotice {
  /** 1-based number of the attempt that failed. */
  attempt: number;
  /** Wait before the next attempt, in milliseconds. */
  delayMs: number;
  /** Why it failed. */
  error: Error;
}

/** One model call. See unified-llm-client: request. */
export interface ModelRequest {
  /** Name of a provider. Default: the client's default provider. */
  provider?: string | undefined;
  /** The provider's model id, passed on unchanged. */
  model: string;
  /** The conversation. */
  messages: readonly Message[];
  /** Tools the model may call. */
  tools?: readonly ToolDefinition[] | undefined;
  /** Whether the model may or must call a tool. Default: `auto`. */
  toolChoice?: ToolChoice | undefined;
  /** Format of the response. Default: text. */
  responseFormat?: ResponseFormat | undefined;
  /** Sampling temperature. Default: the provider's. */
  temperature?: number | undefined;
  /** Nucleus sampling threshold. Default: the provider's. */
  topP?: number | undefined;
  /** Maximum number of output tokens. Default: the provider's. */
  maxTokens?: number | undefined;
  /** Texts that end the response. */
  stopSequences?: readonly string[] | undefined;
  /** Reasoning effort: `low`, `medium`, `high`, or a provider-specific value. `null` omits the parameter. */
  reasoningEffort?: string | null | undefined;
  /** Metadata for the provider's records. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Provider-specific options, by provider name, passed through unchanged. */
  providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** True to include the provider's unparsed response. Default: false. */
  includeRaw?: boolean | undefined;
  /** Cancels the call when this signal aborts. */
  signal?: AbortSignal | undefined;
  /** Called before every retry by clients that retry. */
  onRetry?: ((notice: RetryNotice) => void) | undefined;
  /**
   * Returns true if the caller will retry after this failure. Recorders then discard the call, because its partial
   * response is not part of the conversation.
   */
  isRetried?: ((error: unknown) => boolean) | undefined;
}
