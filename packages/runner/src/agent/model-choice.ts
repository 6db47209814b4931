import { EngineError } from "@switchyard/contracts";

/** Environment variables. An empty value counts as unset. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** A provider, and one of the provider's models. */
export interface ModelChoice {
  provider: string;
  model: string;
}

/** Providers whose models are in the catalog. The first provider with an API key provides the default model. */
const VENDORS = ["anthropic", "openai", "gemini"];

/** Environment variables that may contain the API key of each provider. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  ollama: ["OLLAMA_API_KEY"],
  vllm: ["VLLM_API_KEY"],
  "llama.cpp": ["LLAMA_CPP_API_KEY"],
  "openai-compatible": ["OPENAI_COMPATIBLE_API_KEY"],
};

/** Returns whether a provider requires an API key. Self-hosted servers often do not. */
export function needsKey(provider: string): boolean {
  return provider === "openrouter" || VENDORS.includes(provider);
}

/**
 * Returns the model family, which determines the system prompt and the tools. The family is the provider's, or is
 * derived from the model's name if the provider hosts models of many vendors. Models that were not trained on
 * `apply_patch` work better with `edit_file`, so their family is one whose tools include `edit_file`.
 */
export function familyOf({ provider, model }: ModelChoice): string {
  if (VENDORS.includes(provider)) return provider;
  if (/(^|\/)(gpt|o\d|codex|chatgpt)/.test(model)) return "openai";
  return /(^|\/)(gemini|gemma)/.test(model) ? "gemini" : "anthropic";
}

/** API key, and the environment variable that contains the key. */
export interface FoundKey {
  variable: string;
  value: string;
}

/** Returns the API key of a provider from environment variables. `undefined` if no variable is set. */
export function findKey(env: EnvironmentRecord, provider: string): FoundKey | undefined {
  // The name comes from a configuration. A name such as `constructor` must not match an inherited property.
  const variables = Object.hasOwn(KEY_VARIABLES, provider) ? KEY_VARIABLES[provider] : undefined;
  for (const variable of variables ?? []) {
    const value = env[variable]?.trim() ?? "";
    if (value !== "") return { variable, value };
  }
  return undefined;
}

/** Returns the environment variable that contains a provider's API key. `undefined` if no variable is set. */
export function keyVariable(env: EnvironmentRecord, provider: string): string | undefined {
  return findKey(env, provider)?.variable;
}

/** Returns the first provider whose API key is in the environment. Throws `model.not_configured` if there is no key. */
export function defaultProvider(env: EnvironmentRecord): string {
  const found = VENDORS.find((provider) => findKey(env, provider) !== undefined);
  if (found === undefined) {
    const variables = VENDORS.flatMap((provider) => KEY_VARIABLES[provider]?.[0] ?? []);
    throw new EngineError("model.not_configured", { variables });
  }
  return found;
}

/** Throws `model.unknown_provider` if no client supports the provider. */
export function assertProvider(provider: string): void {
  const known = Object.keys(KEY_VARIABLES);
  if (!known.includes(provider)) throw new EngineError("model.unknown_provider", { provider, known });
}
