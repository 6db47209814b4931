import { EngineError } from "@switchyard/contracts";

/** Variables of an environment; an empty one counts as unset. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** A provider and one of its models. */
export interface ModelChoice {
  provider: string;
  model: string;
}

/** Where the key of each provider is looked for; the first one with a key gives the default model. */
export const KEY_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  gemini: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
};

/** A key and the variable it was found in. */
export interface FoundKey {
  variable: string;
  value: string;
}

/** The key of a provider in the environment, if there is one. */
export function findKey(env: EnvironmentRecord, provider: string): FoundKey | undefined {
  for (const variable of KEY_VARIABLES[provider] ?? []) {
    const value = env[variable]?.trim() ?? "";
    if (value !== "") return { variable, value };
  }
  return undefined;
}

/** The first provider whose key is in the environment. Throws `model.not_configured`. */
export function defaultProvider(env: EnvironmentRecord): string {
  const found = Object.keys(KEY_VARIABLES).find((provider) => findKey(env, provider) !== undefined);
  if (found === undefined) {
    const variables = Object.values(KEY_VARIABLES).flatMap(([first]) => first ?? []);
    throw new EngineError("model.not_configured", { variables });
  }
  return found;
}

/** Refuses a provider that nothing here speaks to. Throws `model.unknown_provider`. */
export function assertProvider(provider: string): void {
  const known = Object.keys(KEY_VARIABLES);
  if (!known.includes(provider)) throw new EngineError("model.unknown_provider", { provider, known });
}
