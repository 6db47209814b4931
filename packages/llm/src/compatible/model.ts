import type { CreateModel } from "../provider/dialect.ts";
import { choiceFields as metadataExtractor } from "./choice-fields.ts";

/** Loads the factory for models of servers with OpenAI's chat completions API. */
export async function loadCompatibleFactory(): Promise<CreateModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return ({ model, apiKey, baseUrl: baseURL, headers, fetch }) => {
    const key = apiKey === undefined ? {} : { apiKey };
    const settings = { name: "openaiCompatible", baseURL, headers, fetch, metadataExtractor, ...key };
    return createOpenAICompatible({ ...settings, includeUsage: true, supportsStructuredOutputs: true }).chatModel(
      model,
    );
  };
}
