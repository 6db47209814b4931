import { EngineError } from "@switchyard/contracts";
import type { Secret } from "@switchyard/secrets";
import { keyVariableOf, knownProviders } from "../client/provider-sources.ts";
import { type ClientFromEnvOptions, type EnvironmentRecord, providersFromEnv } from "../client/providers-from-env.ts";
import type { OfferedModel } from "./model-list.ts";

/** Options of {@link listOfferedModels}. */
export interface OfferedModelsOptions extends Omit<ClientFromEnvOptions, "defaultProvider"> {
  /** Key of the provider. Default: read from the environment. */
  apiKey?: string | Secret | undefined;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

/**
 * Requests the models that a provider offers (`GET <base URL>/models`), with the keys and addresses of `clientFromEnv`.
 * Resolves with `undefined` if the environment has no key for the provider. Rejects with `model.unknown_provider`,
 * `model.missing_address`, `config.invalid`, or an `llm.*` error of the request. See unified-llm-client: catalog.
 */
export async function listOfferedModels(
  provider: string,
  env: EnvironmentRecord,
  { signal, apiKey, ...options }: OfferedModelsOptions = {},
): Promise<readonly OfferedModel[] | undefined> {
  const variable = keyVariableOf(provider);
  if (variable === undefined) {
    throw new EngineError("model.unknown_provider", { provider, known: knownProviders() });
  }
  const keys = apiKey === undefined ? {} : { [variable]: typeof apiKey === "string" ? apiKey : apiKey.reveal() };
  const { providers, missingKeys, missingAddresses } = providersFromEnv({ ...env, ...keys }, options);
  try {
    if (Object.hasOwn(missingKeys, provider)) return undefined;
    if (Object.hasOwn(missingAddresses, provider)) {
      throw new EngineError("model.missing_address", { provider, variable: missingAddresses[provider] });
    }
    return await providers[provider]?.listModels?.({ provider, signal });
  } finally {
    await Promise.all(Object.values(providers).map((provider) => provider.close?.()));
  }
}
