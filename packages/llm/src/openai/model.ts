import type { CreateModel } from "../provider/dialect.ts";

/** Loads the factory for models of OpenAI's Responses API. */
export async function loadOpenAiFactory(): Promise<CreateModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  return ({ model, apiKey = "", baseUrl: baseURL, headers, fetch }) =>
    createOpenAI({ apiKey, baseURL, headers, fetch }).responses(model);
}
