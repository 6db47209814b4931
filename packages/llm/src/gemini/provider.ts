import { EngineError, type ModelRequest } from "@switchyard/contracts";
import { GEMINI_NORMALISER } from "../normalisation/gemini-normaliser.ts";
import { GEMINI_RULES } from "../projection/schema-rule-tables.ts";
import { createLanguageModelProvider } from "../provider/create-language-model-provider.ts";
import type { Dialect } from "../provider/dialect.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { loadGeminiFactory } from "./model.ts";
import { GEMINI_MODELS } from "./model-list.ts";
import { toGeminiOptions } from "./options.ts";
import { restoreSignatures } from "./restore-signatures.ts";
import { withoutSyntheticIds } from "./synthetic-ids.ts";

/**
 * Rejects requests from which the AI SDK dropped the function tools, because the agent would lose its tools. This
 * happens for models before Gemini 3, which accept either functions or provider tools. Such requests are found by a
 * text search for the field in the JSON. Text inside a JSON string cannot match, because its quotes are escaped.
 */
function refuseLostFunctions(body: string, { model, tools = [], providerOptions = {} }: ModelRequest): void {
  if (tools.length === 0 || !Object.values(providerOptions).some((options) => Array.isArray(options["tools"]))) return;
  if (body.includes('"functionDeclarations":')) return;
  const problem = `${model} does not accept functions together with the provider's own tools`;
  throw new EngineError("config.invalid", { field: "providerOptions tools", problem });
}

function rewriteBody(body: string, request: ModelRequest): string {
  refuseLostFunctions(body, request);
  return withoutSyntheticIds(body, request);
}

/** Returns whether a warning concerns signatures that are omitted intentionally, because the model changed. */
function isOnPurpose(warning: string): boolean {
  return warning.includes("skip_thought_signature_validator");
}

const GEMINI: Dialect = {
  family: "gemini",
  namespace: "google",
  keyVariable: "GEMINI_API_KEY",
  defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
  lateSystemMessages: false,
  // Chunks that report usage may follow the finish reason, so the matched event is not final.
  lastEvent: { word: '"finishReason"', mark: /"finishReason": ?"/, isFinal: false },
  callIds: /^.{1,64}$/s,
  schemaRules: GEMINI_RULES,
  responseRules: () => GEMINI_RULES,
  toOptions: toGeminiOptions,
  normaliser: GEMINI_NORMALISER,
  modelList: GEMINI_MODELS,
  loadFactory: loadGeminiFactory,
  isOnPurpose,
  restoreResult: restoreSignatures,
  rewriteBody,
};

/** Options for creating a Gemini provider. */
export type GeminiProviderOptions = ProviderOptions;

/**
 * Creates a provider for Google's Gemini models through their own API (`generateContent`). Default base URL:
 * `https://generativelanguage.googleapis.com/v1beta`; any other is used unchanged. Throws `config.invalid` for an
 * invalid key or address. See unified-llm-client: client.
 */
export function createGeminiProvider(options: GeminiProviderOptions): LlmProvider {
  return createLanguageModelProvider(GEMINI, options);
}
