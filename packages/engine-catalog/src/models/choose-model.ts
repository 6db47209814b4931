import { EngineError } from "@switchyard/contracts";

/**
 * Model providers for a demo with a real model, by the environment variable that contains the provider's API key. The
 * first provider with a key is used.
 */
const PROVIDERS: readonly (readonly [variable: string, provider: string])[] = [
  ["ANTHROPIC_API_KEY", "anthropic"],
  ["OPENAI_API_KEY", "openai"],
  ["GEMINI_API_KEY", "gemini"],
  ["GOOGLE_API_KEY", "gemini"],
];

/**
 * Returns the model for a demo with a real model: the requested one, or the default model of the first provider with a
 * key. Rejects with `model.missing_key`.
 */
export async function chooseLiveModel(
  env: Readonly<Record<string, string | undefined>>,
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) return asked;
  const { getDefaultModel } = await import("@switchyard/llm");
  const [, provider = ""] = PROVIDERS.find(([variable]) => (env[variable] ?? "").trim() !== "") ?? [];
  const model = getDefaultModel(provider)?.id;
  if (model !== undefined) return `${provider}/${model}`;
  const variable = "ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY";
  throw new EngineError("model.missing_key", { provider: "the live demo", variable });
}
