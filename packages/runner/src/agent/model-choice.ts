import { EngineError } from "@switchyard/contracts";

/** Variables of an environment; an empty one counts as unset. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** A provider and one of its models. */
export interface ModelChoice {
  provider: string;
  model: string;
}

/** The vendors whose models are in the catalog; the first one with a key gives the default model. */
const VENDORS = ["anthropic", "openai", "gemini"];

/** Where the key of each provider is looked for. */
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

/** Whether a provider cannot be asked without a key; servers of one's own often can. */
export function needsKey(provider: string): boolean {
  return provider === "openrouter" || VENDORS.includes(provider);
}

/**
 * The family whose prompt and tools a model gets: that of its provider, or by its name on a server that speaks for many.
 * Models nobody trained on `apply_patch` do better with `edit_file`, so they get the profile that changes files with it.
 */
export function familyOf({ provider, model }: ModelChoice): string {
  if (VENDORS.includes(provider)) return provider;
  if (/(^|\/)(gpt|o\d|codex|chatgpt)/.test(model)) return "openai";
  return /(^|\/)(gemini|gemma)/.test(model) ? "gemini" : "anthropic";
}

/** A key and the variable it was found in. */
export interface FoundKey {
  variable: string;
  value: string;
}

/** The key of a provider in the environment, if there is one. */
export function findKey(env: EnvironmentRecord, provider: string): FoundKey | undefined {
  // The name comes from a configuration: `constructor` is a provider like any other.
  const variables = Object.hasOwn(KEY_VARIABLES, provider) ? KEY_VARIABLES[provider] : undefined;
  for (const variable of variables ?? []) {
    const value = env[variable]?.trim() ?? "";
    if (value !== "") return { variable, value };
  }
  return undefined;
}

/** The first provider whose key is in the environment. Throws `model.not_configured`. */
export function defaultProvider(env: EnvironmentRecord): string {
  const found = VENDORS.find((provider) => findKey(env, provider) !== undefined);
  if (found === undefined) {
    const variables = VENDORS.flatMap((provider) => KEY_VARIABLES[provider]?.[0] ?? []);
    throw new EngineError("model.not_configured", { variables });
  }
  return found;
}

/** Refuses a provider that nothing here speaks to. Throws `model.unknown_provider`. */
export function assertProvider(provider: string): void {
  const known = Object.keys(KEY_VARIABLES);
  if (!known.includes(provider)) throw new EngineError("model.unknown_provider", { provider, known });
}
