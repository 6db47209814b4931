import type { JSONObject } from "@ai-sdk/provider";
import type { FamilyRequest } from "../provider/dialect.ts";
import { strictness } from "../request/strictness.ts";

/** Families that take no reasoning effort; every other name may be a model that does, known or not. */
const WITHOUT_EFFORT = /^(gpt-3|gpt-4|chatgpt)|-chat(-|$)/;

/**
 * OpenAI's options for a request. Nothing is stored with OpenAI: reasoning comes back encrypted and goes out again
 * with the history, so that every request stands for itself. coding-agent-loop §2.7.
 */
export function toOpenAiOptions({ request }: FamilyRequest): JSONObject {
  const options: JSONObject = { store: false, ...strictness(request.responseFormat) };
  const effort = request.reasoningEffort;
  if (effort !== undefined && effort !== null) {
    options["reasoningEffort"] = effort;
    if (!WITHOUT_EFFORT.test(request.model)) options["forceReasoning"] = true;
  }
  if (request.metadata !== undefined) options["metadata"] = { ...request.metadata };
  return options;
}
