import { DEFAULT_MODELS, isCatalogProvider, MODEL_CATALOG } from "./model-catalog.ts";
import type { ModelCapability, ModelInfo } from "./model-info.ts";

/** Filters for catalog models. */
export interface ListModelsOptions {
  /** Provider of the models. */
  provider?: string | undefined;
  /** Required capability. */
  capability?: ModelCapability | undefined;
}

/** Returns the models of the catalog, newest first for each provider. See unified-llm-client: catalog. */
export function listModels(options: ListModelsOptions = {}): readonly ModelInfo[] {
  const { provider, capability } = options;
  return MODEL_CATALOG.filter(
    (info) =>
      (provider === undefined || info.provider === provider) && (capability === undefined || info[capability] === true),
  );
}

/**
 * Returns the newest model of a provider that has a capability. `undefined` if the provider has no such model. See
 * unified-llm-client: catalog.
 */
export function getLatestModel(provider: string, capability?: ModelCapability): ModelInfo | undefined {
  return listModels({ provider, capability })[0];
}

/**
 * Returns the default model of a provider: a current model other than the most expensive one. `undefined` if the
 * catalog has none. See unified-llm-client: catalog.
 */
export function getDefaultModel(provider: string): ModelInfo | undefined {
  if (!isCatalogProvider(provider)) return undefined;
  return listModels({ provider }).find(({ id }) => id === DEFAULT_MODELS[provider]);
}
