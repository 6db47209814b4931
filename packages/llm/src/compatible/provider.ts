import type { Secret } from "@switchyard/secrets";
import { CHAT_NORMALISER } from "../normalisation/chat-normaliser.ts";
import { OPENAI_MODELS } from "../openai/model-list.ts";
import { COMPATIBLE_RULES, OPENAI_STRICT_RULES } from "../projection/schema-rule-tables.ts";
import { createLanguageModelProvider } from "../provider/create-language-model-provider.ts";
import type { Dialect } from "../provider/dialect.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { isStrictSchema } from "../request/strictness.ts";
import { loadCompatibleFactory } from "./model.ts";
import { toCompatibleOptions } from "./options.ts";
import { callFields, restoreMessage } from "./restore-message.ts";

/** What the servers have in common: little enough that local models with strict chat templates accept it. */
const COMPATIBLE: Omit<Dialect, "keyVariable" | "defaultBaseUrl"> = {
  family: "openai-compatible",
  namespace: "openaiCompatible",
  lateSystemMessages: false,
  oneSystemMessage: true,
  parsedArguments: true,
  plainReasoning: true,
  toolImages: false,
  lastEvent: { word: "[DONE]", mark: /[\r\n]data: ?\[DONE\]/, isFinal: true },
  callIds: /^.{1,64}$/s,
  schemaRules: COMPATIBLE_RULES,
  responseRules: (schema) => (isStrictSchema(schema) ? OPENAI_STRICT_RULES : COMPATIBLE_RULES),
  toOptions: toCompatibleOptions,
  callFields,
  restoreMessage,
  normaliser: CHAT_NORMALISER,
  modelList: OPENAI_MODELS,
  loadFactory: loadCompatibleFactory,
};

/** What a provider for an OpenAI-compatible server is made from. */
export interface OpenAiCompatibleProviderOptions extends Omit<ProviderOptions, "apiKey" | "baseUrl"> {
  /** What the server is called in errors; usually its name in the client. */
  name: string;
  /** Address that `/chat/completions` is appended to, version prefix included. */
  baseUrl: string;
  /** The API key, where the server wants one. */
  apiKey?: string | Secret | undefined;
}

/**
 * Models behind a server that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, OpenRouter and others. Reads
 * `reasoning_content` as thoughts and sends them back to the model that had them; makes up the ids of calls that come
 * without one. Errors: `config.invalid` for an unusable key or address. unified-llm-client: client.
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleProviderOptions): LlmProvider {
  const { name, baseUrl } = options;
  const keyVariable = options.keyVariable ?? `the API key of ${name}`;
  return createLanguageModelProvider({ ...COMPATIBLE, keyVariable, defaultBaseUrl: baseUrl }, options);
}
