import type { CreateModel } from "../provider/dialect.ts";
import { madeUpId } from "./made-up-ids.ts";

/** Models behind Gemini's own API. */
export async function loadGeminiFactory(): Promise<CreateModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  return ({ model, apiKey = "", baseUrl: baseURL, headers, fetch, createId }) => {
    const generateId = (): string => madeUpId(createId());
    return createGoogleGenerativeAI({ apiKey, baseURL, headers, fetch, generateId }).languageModel(model);
  };
}
