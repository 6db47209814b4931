import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { ModelSettings } from "../provider/dialect.ts";

/** A model behind OpenAI's Responses API. The AI SDK's package is loaded on first use. */
export async function loadOpenAiModel(settings: ModelSettings): Promise<LanguageModelV3> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { model, apiKey, baseUrl: baseURL, headers, fetch } = settings;
  return createOpenAI({ apiKey, baseURL, headers, fetch }).responses(model);
}
