import type { JSONObject } from "@ai-sdk/provider";
import type { FamilyRequest } from "../provider/dialect.ts";
import { strictness } from "../request/strictness.ts";

/**
 * Returns the options of a chat completion. Additional options, named as the server names them, are sent as request
 * fields.
 */
export function toCompatibleOptions({ request, warn }: FamilyRequest): JSONObject {
  const { reasoningEffort, responseFormat, metadata = {}, provider = "the server" } = request;
  for (const name of Object.keys(metadata)) warn(`metadata ${name} is not supported by ${provider}`);
  const effort = reasoningEffort === undefined || reasoningEffort === null ? {} : { reasoningEffort };
  return { ...strictness(responseFormat), ...effort };
}
