import type { ToolCallPart } from "@switchyard/contracts";

/** Arguments beyond this length are compared as they were written. */
const MAX_CANONICAL_CHARS = 4_096;
/** Objects with as many keys are put in order one key at a time. */
const FEW_KEYS = 8;

function isInOrder(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if ((keys[index - 1] ?? "") > (keys[index] ?? "")) return false;
  return true;
}

/** Keys in order. The platform's own sort takes as much memory for two of them as all the rest of a call. */
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

/** The value with the keys of its objects in order; itself where they are, as they mostly are. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value);
  if (isInOrder(keys) && !Object.values(value).some(isObject)) return value;
  // An assignment would make it the prototype; everything else is quicker without a list of pairs.
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

/** The arguments of a call for `mayBeEqual`: as they were written where they are long, or no JSON. */
export function readArguments({ arguments: text }: ToolCallPart): unknown {
  if (text.length > MAX_CANONICAL_CHARS) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Whether two calls with these arguments may have one signature. A first look, which is nearly always enough: it ends at
 * the first difference, and what is in objects in them is not compared.
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

/** A text that two calls share exactly when their names and arguments are equal, whatever the spacing. loop: §2.10. */
export function callSignature(call: ToolCallPart): string {
  return `${call.name}\n${canonicalArguments(call.arguments)}`;
}
