import { isRecord } from "../failure/error-info.ts";
import { entriesOf, textOf, tokensOf } from "../model-list/entries-of.ts";
import type { ModelList } from "../model-list/model-list.ts";

/** Anthropic's model list endpoint. */
export const ANTHROPIC_MODELS: ModelList = {
  headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }),
  query: (cursor) => `limit=1000${cursor === undefined ? "" : `&after_id=${encodeURIComponent(cursor)}`}`,
  read: (body) => {
    const models = entriesOf(body, "data")?.flatMap((entry) => {
      const id = textOf(entry["id"]);
      const limits = { contextWindow: tokensOf(entry["max_input_tokens"]), maxOutput: tokensOf(entry["max_tokens"]) };
      return id === undefined ? [] : [{ id, displayName: textOf(entry["display_name"]), ...limits }];
    });
    if (models === undefined) return undefined;
    const hasMore = isRecord(body) && body["has_more"] === true;
    return { models, next: hasMore ? textOf(body["last_id"]) : undefined };
  },
  source: "https://platform.claude.com/docs/en/api/models-list",
};
