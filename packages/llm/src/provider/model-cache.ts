import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { CreateModel, ModelSettings } from "./dialect.ts";

/**
 * Maximum number of cached AI SDK models. Limits the memory of clients that use many models: the cache is emptied when
 * it is full.
 */
const MAX_CACHED = 32;

/** Cache of a provider's AI SDK models, which have no state between calls. */
export interface ModelCache {
  /** Returns a cached model. */
  get(model: string): LanguageModelV3 | undefined;
  /** Creates the model, after loading the AI SDK's package if necessary. */
  load(model: string): Promise<LanguageModelV3>;
}

/** Creates a cache of models with the same settings. */
export function createModelCache(
  loadFactory: () => Promise<CreateModel>,
  settings: () => Omit<ModelSettings, "model">,
): ModelCache {
  const cached = new Map<string, LanguageModelV3>();
  let factory: Promise<CreateModel> | undefined;
  return {
    get: (model) => cached.get(model),
    async load(model) {
      factory ??= loadFactory();
      const created = (await factory)({ ...settings(), model });
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(model, created);
      return created;
    },
  };
}
