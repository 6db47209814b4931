import type { Client } from "@switchyard/contracts";
import { createAnthropicProvider } from "../anthropic/provider.ts";
import { createGeminiProvider } from "../gemini/provider.ts";
import { createOpenAiProvider } from "../openai/provider.ts";
import type { LlmProvider } from "../provider/llm-provider.ts";
import type { ProviderOptions } from "../provider/provider-options.ts";
import { createClient } from "./create-client.ts";

/** Variables of an environment. */
export type EnvironmentRecord = Readonly<Record<string, string | undefined>>;

/** What a client from the environment may be given besides. */
export interface ClientFromEnvOptions extends Omit<ProviderOptions, "apiKey" | "baseUrl" | "keyVariable"> {
  /** Base URLs by provider; they win over the environment's. */
  baseUrls?: Readonly<Record<string, string | undefined>> | undefined;
  /** Provider of requests that name none; default is the first whose key is present. */
  defaultProvider?: string | undefined;
}

/** Where each provider's key and address are looked for, in the order in which they become the default. */
const SOURCES = [
  { name: "openai", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  { name: "anthropic", keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
  { name: "gemini", keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY"], baseUrl: "GEMINI_BASE_URL" },
] as const;

type SourceName = (typeof SOURCES)[number]["name"];

/** The value of a variable; one that is empty counts as unset. */
function variableOf(env: EnvironmentRecord, variable: string): string | undefined {
  const value = env[variable]?.trim();
  return value === "" ? undefined : value;
}

function createProvider(name: SourceName, options: ProviderOptions, env: EnvironmentRecord): LlmProvider {
  switch (name) {
    case "openai": {
      const organization = variableOf(env, "OPENAI_ORG_ID");
      const project = variableOf(env, "OPENAI_PROJECT_ID");
      return createOpenAiProvider({ ...options, organization, project });
    }
    case "anthropic":
      return createAnthropicProvider(options);
    case "gemini":
      return createGeminiProvider(options);
  }
}

/**
 * A client of the providers whose keys are in the environment: `OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY`
 * or `GOOGLE_API_KEY`, with `*_BASE_URL`, `OPENAI_ORG_ID` and `OPENAI_PROJECT_ID`. The first is the default. A request
 * to one without a key fails with `model.missing_key`. unified-llm-client: client.
 */
export function clientFromEnv(env: EnvironmentRecord, options: ClientFromEnvOptions = {}): Client {
  const { baseUrls, defaultProvider, ...shared } = options;
  const providers: Record<string, LlmProvider> = {};
  const missingKeys: Record<string, string> = {};
  for (const { name, keys, baseUrl: baseUrlVariable } of SOURCES) {
    const keyVariable = keys.find((key) => variableOf(env, key) !== undefined);
    if (keyVariable === undefined) {
      missingKeys[name] = keys.join(" or ");
      continue;
    }
    const apiKey = variableOf(env, keyVariable) ?? "";
    const baseUrl = baseUrls?.[name] ?? variableOf(env, baseUrlVariable);
    providers[name] = createProvider(name, { ...shared, apiKey, baseUrl, keyVariable }, env);
  }
  const first = Object.keys(providers)[0];
  return createClient({ providers, missingKeys, defaultProvider: defaultProvider ?? first });
}
