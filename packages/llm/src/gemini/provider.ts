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
 * Models before Gemini 3 take either functions or the provider's own tools, and the AI SDK then leaves the functions
 * out: an agent without its tools. Quotes inside strings are escaped in JSON text, so this can only be the field itself.
 */
function refuseLostFunctions(body: string, { model, tools = [], providerOptions = {} }: ModelRequest): void {
  if (tools.length === 0 || !Object.values(providerOptions).some((options) => Array.isArray(options["tools"]))) return;
  if (body.includes('"functionDeclarations":')) return;
  const problem = `${model} takes no functions beside the provider's own tools`;
  throw new EngineError("config.invalid", { field: "providerOptions tools", problem });
}

function rewriteBody(body: string, request: ModelRequest): string {
  refuseLostFunctions(body, request);
  return withoutSyntheticIds(body, request);
}

/** Signatures stay behind when the model changes; the AI SDK then takes the caller for one that loses them. */
function isOnPurpose(warning: string): boolean {
  return warning.includes("skip_thought_signature_validator");
}

const GEMINI: Dialect = {
  family: "gemini",
  namespace: "google",
  keyVariable: "GEMINI_API_KEY",
  defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
  lateSystemMessages: false,
  // Chunks with the usage may follow.
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

/** What a Gemini provider is made from. */
export type GeminiProviderOptions = ProviderOptions;

/**
 * Google's Gemini models through their own API (`generateContent`). The default base URL is
 * `https://generativelanguage.googleapis.com/v1beta`; another is used as it is. Errors: `config.invalid` for an
 * unusable key or address. unified-llm-client: client.
 */
export function createGeminiProvider(options: GeminiProviderOptions): LlmProvider {
  return createLanguageModelProvider(GEMINI, options);
}
