import { MODEL_CATALOG } from "./model-catalog.ts";
import type { ModelInfo } from "./model-info.ts";

const DATE_SUFFIX = /-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/;

/**
 * Returns catalog data of a model, by its id, an id with a date, or `provider/id`. `undefined` if the model is not in
 * the catalog.
 */
export function getModelInfo(model: string): ModelInfo | undefined {
  const id = model.replace(/^(openai|anthropic|gemini)\//, "");
  const undated = id.replace(DATE_SUFFIX, "");
  return MODEL_CATALOG.find((info) => info.id === id || info.id === undated || info.aliases?.includes(id));
}
