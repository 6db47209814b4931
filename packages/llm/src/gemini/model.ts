import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelSettings } from "../provider/dialect.ts";

/** A model behind Gemini's own API. The AI SDK's package is loaded on first use. */
export async function loadGeminiModel(settings: ModelSettings): Promise<LanguageModelV3> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const { model, apiKey, baseUrl: baseURL, headers, fetch, createId: generateId } = settings;
  return createGoogleGenerativeAI({ apiKey, baseURL, headers, fetch, generateId }).languageModel(model);
}
