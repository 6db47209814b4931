import type { ToolCallPart } from "@switchyard/contracts";

/** Maximum length of arguments that are normalized, in characters. Longer arguments are compared as text. */
const MAX_CANONICAL_CHARS = 4_096;
/** Maximum number of keys for insertion sort. */
const FEW_KEYS = 8;

function isInOrder(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? "") > (keys[index] ?? "")) return false;
  return true;
}

/** Sorts keys. Uses insertion sort for a few keys, because the built-in sort would double the memory use of a call. */
function sorted(keys: string[]): string[] {
  if (isInOrder(keys)) return keys;
  if (keys.length > FEW_KEYS) return keys.sort();
  const ordered: string[] = [];
  for (const key of keys) {
    let index = ordered.length;
    for (; index > 0 && (ordered[index - 1] ?? "") > key; index -= 1) ordered[index] = ordered[index - 1] ?? "";
    ordered[index] = key;
  }
  return ordered;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function inPairs(value: object): unknown {
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, canonical(entry)]));
}

/** Returns the value with sorted object keys, or the value itself if they are already sorted, as they usually are. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  if (isInOrder(keys) && !Object.values(value).some(isObject)) return value;
  // Assigning to a key `__proto__` would set the prototype. Building the object from pairs avoids this, but is slower.
  if (Object.hasOwn(value, "__proto__")) return inPairs(value);
  const properties: Readonly<Record<string, unknown>> = { ...value };
  const ordered: Record<string, unknown> = {};
  for (const key of sorted(keys)) ordered[key] = canonical(properties[key]);
  return ordered;
}

function canonicalArguments(text: string): string {
  if (text.length > MAX_CANONICAL_CHARS) return text;
  try {
    return JSON.stringify(canonical(JSON.parse(text)));
  } catch {
    return text;
  }
}

/** Parses the arguments of a call for `mayBeEqual`. Returns the text itself if it is too long or not JSON. */
export function readArguments({ arguments: text }: ToolCallPart): unknown {
  if (text.length > MAX_CANONICAL_CHARS) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns whether calls with these arguments may have the same signature. A quick check that is usually sufficient: it
 * stops at the first difference and does not compare nested objects.
 */
export function mayBeEqual(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return left === right;
  for (const key in left) {
    const one = left[key];
    const other = right[key];
    if (one !== other && !(isObject(one) && isObject(other))) return false;
  }
  return true;
}

/**
 * Returns a text that is equal for two calls if and only if their names and arguments are equal, ignoring formatting.
 * See loop: §2.10.
 */
export function callSignature(call: ToolCallPart): string {
  return `${call.name}\n${canonicalArguments(call.arguments)}`;
}
