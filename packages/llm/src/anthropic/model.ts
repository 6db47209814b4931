import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelSettings } from "../provider/dialect.ts";

/** A model behind Anthropic's Messages API. The AI SDK's package is loaded on first use. */
export async function loadAnthropicModel(settings: ModelSettings): Promise<LanguageModelV3> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const { model, apiKey, baseUrl: baseURL, headers, fetch, createId: generateId } = settings;
  return createAnthropic({ apiKey, baseURL, headers, fetch, generateId }).languageModel(model);
}
