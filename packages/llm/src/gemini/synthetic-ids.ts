import type { ModelRequest, Part } from "@switchyard/contracts";

/** Prefix of the ids that are generated for tool calls to which Gemini gave no id. */
const PREFIX = "call_made_";

/** Returns a generated id for a tool call without an id. */
export function syntheticId(id: string): string {
  return `${PREFIX}${id.replace(/[^a-zA-Z0-9]/g, "")}`;
}

// Matches the `id` field in the JSON text. Text inside a JSON string cannot match, because its quotes are escaped.
// Another field always follows, so the pattern includes the comma.
const SYNTHETIC_FIELD = new RegExp(`"id":"${PREFIX}[a-zA-Z0-9]*",`, "g");

function hasSyntheticId(part: Part): boolean {
  if (part.type === "tool_call") return part.id.startsWith(PREFIX);
  return part.type === "tool_result" && part.toolCallId.startsWith(PREFIX);
}

/**
 * Removes generated ids from a request, so that Gemini pairs calls and results by name and order. The messages are
 * checked first, because searching the text of a long history costs as much as writing it.
 */
export function withoutSyntheticIds(body: string, { messages }: ModelRequest): string {
  return messages.some(({ parts }) => parts.some(hasSyntheticId)) ? body.replace(SYNTHETIC_FIELD, "") : body;
}
