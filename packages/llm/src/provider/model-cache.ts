import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { CreateModel, ModelSettings } from "./dialect.ts";

/**
 * Maximum number of cached AI SDK models. Limits the memory of clients that use many models: the cache is emptied when
 * it is full.
 */
const MAX_CACHED = 32;

/** Cache of a provider's AI SDK models, which have no state between calls. */
export interface ModelCache {
  /** Returns a cached model. `undefined` if it is not cached. */
  get(model: string): LanguageModelV3 | undefined;
  /** Creates a model and adds it to the cache. Loads the AI SDK's package first if necessary. */
  load(model: string): Promise<LanguageModelV3>;
}

/** Creates a cache of a provider's models. `settings` returns the settings that all of them have. */
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
