import type { Message } from "./message.ts";

/** A tool as the model sees it. loop: §3.8. */
export interface ToolDefinition {
  /** Unique in a request. */
  name: string;
  /** For the model. */
  description: string;
  /** JSON Schema whose root is an object. */
  parameters: Readonly<Record<string, unknown>>;
  /** Owner of the tool, for warnings: `the MCP server files`. `undefined` for tools of the host. Not sent to the model. */
  source?: string | undefined;
}

/** Whether and which tool the model must call. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/** Form of the answer. */
export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json" }
  | { readonly type: "json_schema"; readonly name: string; readonly schema: Readonly<Record<string, unknown>> };

/** A model call that failed and is about to be made again. */
export interface RetryNotice {
  /** 1-based number of the attempt that failed. */
  attempt: number;
  /** How long the next one waits, in milliseconds. */
  delayMs: number;
  /** Why it failed. */
  error: Error;
}

/** One model call. unified-llm-client: request. */
export interface ModelRequest {
  /** Name of a provider of the client; its default when unset. */
  provider?: string | undefined;
  /** The vendor's own model id, passed on unchanged. */
  model: string;
  /** The conversation. */
  messages: readonly Message[];
  /** Tools the model may call. */
  tools?: readonly ToolDefinition[] | undefined;
  /** Default `auto`. */
  toolChoice?: ToolChoice | undefined;
  /** Default text. */
  responseFormat?: ResponseFormat | undefined;
  /** Sampling temperature. */
  temperature?: number | undefined;
  /** Nucleus sampling. */
  topP?: number | undefined;
  /** Most tokens of the answer. */
  maxTokens?: number | undefined;
  /** Texts that end the answer. */
  stopSequences?: readonly string[] | undefined;
  /** `low`, `medium`, `high`, or what the provider offers beyond; null leaves the parameter out. */
  reasoningEffort?: string | null | undefined;
  /** Marks for the provider's own records. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Passed through to the provider, by provider name. */
  providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Whether the answer carries what the provider sent; default false. */
  includeRaw?: boolean | undefined;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
  /** Told of every retry by a client that retries. */
  onRetry?: ((notice: RetryNotice) => void) | undefined;
  /**
   * Whether the caller will retry after this failure of the call. Recorders ask, and leave such a call out: a partial
   * response that is discarded is not part of the conversation.
   */
  isRetried?: ((error: unknown) => boolean) | undefined;
}
