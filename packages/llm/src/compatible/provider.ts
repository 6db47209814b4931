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

/** Settings that all supported servers accept, including local models with strict chat templates. */
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

/** Options for creating a provider for an OpenAI-compatible server. */
export interface OpenAiCompatibleProviderOptions extends Omit<ProviderOptions, "apiKey" | "baseUrl"> {
  /** Name of the server in errors; usually its name in the client. */
  name: string;
  /** Address to which `/chat/completions` is appended, version prefix included. */
  baseUrl: string;
  /** API key. `undefined`: none is sent. */
  apiKey?: string | Secret | undefined;
}

/**
 * Creates a provider for a server with OpenAI's chat completions API: Ollama, vLLM, llama.cpp, OpenRouter and others.
 * Reads `reasoning_content` as thinking and sends it back to the same model; generates ids for tool calls without an
 * id. Throws `config.invalid` for an invalid key or address. See unified-llm-client: client.
 */
export function createOpenAiCompatibleProvider(options: OpenAiCompatibleProviderOptions): LlmProvider {
  const { name, baseUrl } = options;
  const keyVariable = options.keyVariable ?? `the API key of ${name}`;
  return createLanguageModelProvider({ ...COMPATIBLE, keyVariable, defaultBaseUrl: baseUrl }, options);
}
