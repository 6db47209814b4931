import type { ToolCallPart } from "@switchyard/contracts";

/** Arguments beyond this length are compared as they were written. */
const MAX_CANONICAL_CHARS = 4_096;

function isInOrder(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? "") > (keys[index] ?? "")) return false;
  return true;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The value with the keys of its objects in order; itself where they are, as they mostly are. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  if (isInOrder(keys) && !Object.values(value).some(isObject)) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, canonical(entry)]));
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
