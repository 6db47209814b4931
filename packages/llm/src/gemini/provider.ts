import { createLanguageModelProvider } from "../provider/create-language-model-provider.ts";
import type { Dialect } from "../provider/dialect.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { withoutMadeUpIds } from "./made-up-ids.ts";
import { loadGeminiFactory } from "./model.ts";
import { toGeminiOptions } from "./options.ts";

const GEMINI: Dialect = {
  family: "gemini",
  namespace: "google",
  keyVariable: "GEMINI_API_KEY",
  defaultBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
  lateSystemMessages: false,
  callIds: /^.{1,64}$/s,
  toOptions: toGeminiOptions,
  loadFactory: loadGeminiFactory,
  rewriteBody: withoutMadeUpIds,
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
