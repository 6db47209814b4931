import type { CreateModel } from "../provider/dialect.ts";

/** Loads the factory for models of Anthropic's Messages API. */
export async function loadAnthropicFactory(): Promise<CreateModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  return ({ model, apiKey = "", baseUrl: baseURL, headers, fetch, createId: generateId }) =>
    createAnthropic({ apiKey, baseURL, headers, fetch, generateId }).languageModel(model);
}
