import type { CreateModel } from "../provider/dialect.ts";
import { syntheticId } from "./synthetic-ids.ts";

/** Loads the factory for models of Gemini's API. */
export async function loadGeminiFactory(): Promise<CreateModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  return ({ model, apiKey = "", baseUrl: baseURL, headers, fetch, createId }) => {
    const generateId = (): string => syntheticId(createId());
    return createGoogleGenerativeAI({ apiKey, baseURL, headers, fetch, generateId }).languageModel(model);
  };
}
