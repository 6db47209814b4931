import { isRecord } from "../failure/error-info.ts";
import { entriesOf, textOf, tokensOf } from "../model-list/entries-of.ts";
import type { ModelList } from "../model-list/model-list.ts";

/** Returns whether a model generates text; the list also contains embedding and image models. */
function generates(methods: unknown): boolean {
  return !Array.isArray(methods) || methods.includes("generateContent");
}

/** Gemini's model list endpoint. */
export const GEMINI_MODELS: ModelList = {
  headers: (key) => ({ "x-goog-api-key": key }),
  query: (cursor) => `pageSize=1000${cursor === undefined ? "" : `&pageToken=${encodeURIComponent(cursor)}`}`,
  read: (body) => {
    const models = entriesOf(body, "models")?.flatMap((entry) => {
      const id = textOf(entry["name"])?.replace(/^models\//, "");
      if (id === undefined || !generates(entry["supportedGenerationMethods"])) return [];
      const limits = {
        contextWindow: tokensOf(entry["inputTokenLimit"]),
        maxOutput: tokensOf(entry["outputTokenLimit"]),
      };
      return [{ id, displayName: textOf(entry["displayName"]), ...limits }];
    });
    return models && { models, next: isRecord(body) ? textOf(body["nextPageToken"]) : undefined };
  },
  source: "https://ai.google.dev/api/models",
};
