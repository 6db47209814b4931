import type { ToolCallPart } from "@switchyard/contracts";

/** Arguments beyond this length are compared as they were written. */
const MAX_CANONICAL_CHARS = 4_096;

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, entry]) => [key, canonical(entry)]);
}

function canonicalArguments(text: string): string {
  if (text.length > MAX_CANONICAL_CHARS) return text;
  try {
    return JSON.stringify(canonical(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** A text that two calls share exactly when their names and arguments are equal, whatever the spacing. loop: §2.10. */
export function callSignature(call: ToolCallPart): string {
  return `${call.name}\n${canonicalArguments(call.arguments)}`;
}
