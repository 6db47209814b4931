import { entriesOf, textOf, tokensOf } from "../model-list/entries-of.ts";
import type { ModelList } from "../model-list/model-list.ts";

/** Model list endpoint of OpenAI and compatible servers. OpenRouter and vLLM add limits. */
export const OPENAI_MODELS: ModelList = {
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  query: () => "",
  read: (body) => {
    const models = entriesOf(body, "data")?.flatMap((entry) => {
      const id = textOf(entry["id"]);
      const contextWindow = tokensOf(entry["context_length"]) ?? tokensOf(entry["max_model_len"]);
      return id === undefined ? [] : [{ id, displayName: textOf(entry["name"]), contextWindow }];
    });
    return models && { models };
  },
  source: "https://developers.openai.com/api/reference/resources/models/methods/list",
};
