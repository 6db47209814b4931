import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { CreateModel, ModelSettings } from "./dialect.ts";

/** Models kept at a time: a client seldom asks for more than a few, and whoever tries many shall not fill the memory. */
const MAX_KEPT = 32;

/** The AI SDK's models of one provider, each made once: they keep no state between calls. */
export interface ModelCache {
  /** The model, once it has been asked for before. */
  get(model: string): LanguageModelV3 | undefined;
  /** Makes the model; loads the AI SDK's package where that was not done yet. */
  load(model: string): Promise<LanguageModelV3>;
}

/** Models made from the same settings. */
export function createModelCache(
  loadFactory: () => Promise<CreateModel>,
  settings: () => Omit<ModelSettings, "model">,
): ModelCache {
  const kept = new Map<string, LanguageModelV3>();
  let factory: Promise<CreateModel> | undefined;
  return {
    get: (model) => kept.get(model),
    async load(model) {
      factory ??= loadFactory();
      const made = (await factory)({ ...settings(), model });
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(model, made);
      return made;
    },
  };
}
