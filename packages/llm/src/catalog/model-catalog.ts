import type { ModelInfo } from "./model-info.ts";
import data from "./models.json" with { type: "json" };

const PROVIDERS = { openai: "openai", anthropic: "anthropic", gemini: "gemini" } as const;

/** The default model of each provider: a current model that is not its most expensive one. */
export const DEFAULT_MODELS: Readonly<Record<ModelInfo["provider"], string>> = data.defaults;

/** What the data file holds, as wide as JSON is. */
type Row = Omit<ModelInfo, "provider"> & { readonly provider: string };

/** Whether a provider has models in the catalog. */
export function isCatalogProvider(name: string): name is ModelInfo["provider"] {
  return Object.hasOwn(PROVIDERS, name);
}

function isKnown(row: Row): row is ModelInfo {
  return isCatalogProvider(row.provider);
}

const ROWS: readonly Row[] = data.models;

/** The models that are known, from one data file; others work all the same. The newest of a provider come first. */
export const MODEL_CATALOG: readonly ModelInfo[] = ROWS.filter(isKnown);
