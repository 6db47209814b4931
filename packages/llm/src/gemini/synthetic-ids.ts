import type { ModelRequest, Part } from "@switchyard/contracts";

/** How the ids begin that are made up here, because Gemini names its calls without one. */
const PREFIX = "call_made_";

/** An id for a call that came without one. */
export function syntheticId(id: string): string {
  return `${PREFIX}${id.replace(/[^a-zA-Z0-9]/g, "")}`;
}

// Quotes inside strings are escaped in JSON text, so this can only be the field itself; its name always follows it.
const MADE_UP_FIELD = new RegExp(`"id":"${PREFIX}[a-zA-Z0-9]*",`, "g");

function hasMadeUpId(part: Part): boolean {
  if (part.type === "tool_call") return part.id.startsWith(PREFIX);
  return part.type === "tool_result" && part.toolCallId.startsWith(PREFIX);
}

/**
 * Takes the made-up ids out of a request again: Gemini then pairs calls and results by name and order, as it did.
 * The messages say whether there are any: to search the text of a long history costs as much as to write it.
 */
export function withoutSyntheticIds(body: string, { messages }: ModelRequest): string {
  return messages.some(({ parts }) => parts.some(hasMadeUpId)) ? body.replace(MADE_UP_FIELD, "") : body;
}
