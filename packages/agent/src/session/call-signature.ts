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
function sorted(keys: string[]): readonly string[] {
  if (keys.length > FEW_KEYS) return keys.sort();
  const ordered: string[] = [];
  for (const key of keys) {
    let index = ordered.length;
    for (; index > 0 && (ordered[index - 1] ?? "") > key; index -= 1) ordered[index] = ordered[index - 1] ?? "";
    ordered[index] = key;
  }
  return ordered;
}

function isObject(value: unknown): boolean {
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

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Whether two values of JSON are equal, whatever the order of keys. */
function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right) || Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isEqual(left[key], right[key])) return false;
  }
  return keys.length === Object.keys(right).length;
}

/** A call with its arguments as `readArguments` gave them. */
export interface ReadCall {
  readonly call: ToolCallPart;
  readonly values: unknown;
}

/**
 * Whether two calls may have one signature. It ends at the first difference, where a signature has to be made of
 * everything; calls that are equal may at most be one too many.
 */
export function mayBeEqual(left: ReadCall, right: ReadCall): boolean {
  return left.call.name === right.call.name && isEqual(left.values, right.values);
}

/** A text that two calls share exactly when their names and arguments are equal, whatever the spacing. loop: §2.10. */
export function callSignature(call: ToolCallPart): string {
  return `${call.name}\n${canonicalArguments(call.arguments)}`;
}
