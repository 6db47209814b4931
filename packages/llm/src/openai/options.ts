import type { JSONObject } from "@ai-sdk/provider";
import type { FamilyRequest } from "../provider/dialect.ts";
import { strictness } from "../request/strictness.ts";

/** Model families without a reasoning effort. All other models are assumed to support it. */
const WITHOUT_EFFORT = /^(gpt-3|gpt-4|chatgpt)|-chat(-|$)/;

/**
 * Returns OpenAI's options for a request. Nothing is stored at OpenAI: encrypted reasoning is returned and sent again
 * with the history, so that every request is self-contained. See loop: §2.7.
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
