import type { JSONObject } from "@ai-sdk/provider";
import { EngineError, type ModelRequest } from "@switchyard/contracts";
import { getModelInfo } from "../catalog/get-model-info.ts";
import { MESSAGES_NORMALISER } from "../normalisation/messages-normaliser.ts";
import { ANTHROPIC_RULES } from "../projection/schema-rule-tables.ts";
import { createLanguageModelProvider } from "../provider/create-language-model-provider.ts";
import type { Dialect } from "../provider/dialect.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { isUnknownEvent } from "./is-unknown-event.ts";
import { loadAnthropicFactory } from "./model.ts";
import { ANTHROPIC_MODELS } from "./model-list.ts";
import { anthropicCacheMark, thinkingBudgetOf, toAnthropicOptions } from "./options.ts";

/**
 * Rejects requests in which the AI SDK replaced a forced tool choice with `auto`, which happens for models that do not
 * support forced tools. Such requests are found by a text search for the field in the JSON. Text inside a JSON string
 * cannot match, because its quotes are escaped.
 */
function refuseSoftenedChoice(body: string, { toolChoice, provider = "anthropic" }: ModelRequest): string {
  const forced = toolChoice === "required" || typeof toolChoice === "object";
  if (forced && body.includes('"tool_choice":{"type":"auto"')) {
    const choice = typeof toolChoice === "object" ? toolChoice.tool : toolChoice;
    throw new EngineError("llm.unsupported_tool_choice", { provider, choice });
  }
  return body;
}

/**
 * Default output limit for unknown models, in tokens. The API requires an output limit. Every current model accepts
 * this value, and file edits rarely exceed it.
 */
const UNKNOWN_MODEL_MAX_TOKENS = 16_384;

/**
 * Returns the maximum output of a known model minus its thinking budget. The AI SDK adds the budget again and warns if
 * the sum is too large.
 */
function defaultMaxTokens(model: string, options: JSONObject): number {
  const most = getModelInfo(model)?.maxOutput;
  return most === undefined ? UNKNOWN_MODEL_MAX_TOKENS : Math.max(1, most - thinkingBudgetOf(options));
}

const ANTHROPIC: Dialect = {
  family: "anthropic",
  namespace: "anthropic",
  keyVariable: "ANTHROPIC_API_KEY",
  defaultBaseUrl: "https://api.anthropic.com/v1",
  lateSystemMessages: false,
  lastEvent: { word: "message_stop", mark: /[\r\n](?:event: ?|data: ?\{"type": ?")message_stop["\r\n]/, isFinal: true },
  callIds: /^[a-zA-Z0-9_-]{1,64}$/,
  schemaRules: ANTHROPIC_RULES,
  toOptions: toAnthropicOptions,
  defaultMaxTokens,
  cacheMark: anthropicCacheMark,
  normaliser: MESSAGES_NORMALISER,
  modelList: ANTHROPIC_MODELS,
  loadFactory: loadAnthropicFactory,
  isUnknownEvent,
  rewriteBody: refuseSoftenedChoice,
};

/** Options for creating an Anthropic provider. */
export interface AnthropicProviderOptions extends ProviderOptions {
  /** True to let the provider cache prompt prefixes that the next request repeats. Default: true. */
  autoCache?: boolean | undefined;
}

/**
 * Creates a provider for Anthropic's models through the Messages API. Default base URL: `https://api.anthropic.com/v1`;
 * any other is used unchanged. Throws `config.invalid` for an invalid key or address. See unified-llm-client: client,
 * usage.
 */
export function createAnthropicProvider(options: AnthropicProviderOptions): LlmProvider {
  const dialect = options.autoCache === false ? { ...ANTHROPIC, cacheMark: () => undefined } : ANTHROPIC;
  return createLanguageModelProvider(dialect, options);
}
