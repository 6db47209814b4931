import type { ModelInfo } from "./model-info.ts";
import data from "./models.json" with { type: "json" };

const PROVIDERS = { openai: "openai", anthropic: "anthropic", gemini: "gemini" } as const;

/** Default model of each provider: a current model other than the most expensive one. */
export const DEFAULT_MODELS: Readonly<Record<ModelInfo["provider"], string>> = data.defaults;

/** A row of the catalog's data file, with the types that TypeScript infers for JSON. */
type Row = Omit<ModelInfo, "provider"> & { readonly provider: string };

/** Returns whether a provider has models in the catalog. */
export function isCatalogProvider(name: string): name is ModelInfo["provider"] {
  return Object.hasOwn(PROVIDERS, name);
}

function isKnown(row: Row): row is ModelInfo {
  return isCatalogProvider(row.provider);
}

const ROWS: readonly Row[] = data.models;

/** Known models, from one data file, newest first for each provider. Other models work too. */
export const MODEL_CATALOG: readonly ModelInfo[] = ROWS.filter(isKnown);
