import { DEFAULT_MODELS, isCatalogProvider, MODEL_CATALOG } from "./model-catalog.ts";
import type { ModelCapability, ModelInfo } from "./model-info.ts";

/** Which models of the catalog are wanted. */
export interface ListModelsOptions {
  /** Only those of this provider. */
  provider?: string | undefined;
  /** Only those that can do this. */
  capability?: ModelCapability | undefined;
}

/** The models of the catalog, the newest of a provider first. unified-llm-client: catalog. */
export function listModels(options: ListModelsOptions = {}): readonly ModelInfo[] {
  const { provider, capability } = options;
  return MODEL_CATALOG.filter(
    (info) =>
      (provider === undefined || info.provider === provider) && (capability === undefined || info[capability] === true),
  );
}

/** The newest model of a provider that can do what is asked; undefined when there is none. unified-llm-client: catalog. */
export function getLatestModel(provider: string, capability?: ModelCapability): ModelInfo | undefined {
  return listModels({ provider, capability })[0];
}

/**
 * The model used where a provider is named and no model: a current one that is not the provider's most expensive.
 * `undefined` for a provider without models in the catalog. unified-llm-client: catalog.
 */
export function getDefaultModel(provider: string): ModelInfo | undefined {
  if (!isCatalogProvider(provider)) return undefined;
  return listModels({ provider }).find(({ id }) => id === DEFAULT_MODELS[provider]);
}
