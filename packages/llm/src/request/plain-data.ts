import type { JSONObject, JSONValue, SharedV3ProviderOptions } from "@ai-sdk/provider";

function isJsonValue(value: unknown): value is JSONValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  return Array.isArray(value) ? value.every(isJsonValue) : isJsonObject(value);
}

/** Returns whether a value is a JSON object. Undefined properties count as absent. */
export function isJsonObject(value: unknown): value is JSONObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((entry) => entry === undefined || isJsonValue(entry));
}

/**
 * Returns whether a value is nested more deeply than the given number of levels. Iterative, because arguments from a
 * model could overflow the stack.
 */
export function isDeeperThan(value: object, levels: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= levels) return true;
    const below: object[] = [];
    for (const parent of level) {
      for (const entry of Object.values(parent)) if (typeof entry === "object" && entry !== null) below.push(entry);
    }
    level = below;
  }
  return false;
}

/** Returns a value as plain JSON data: unchanged if it already is plain data, otherwise serialised and parsed. */
export function toJsonValue(value: unknown): JSONValue {
  if (isJsonValue(value)) return value;
  const parsed: unknown = JSON.parse(JSON.stringify(value) ?? "null");
  return isJsonValue(parsed) ? parsed : null;
}

/**
 * Returns the part of the metadata that belongs to one API family, as provider options of the AI SDK. The result's only
 * key is `namespace`, the AI SDK's name for the family. `undefined` if the metadata has no such part.
 */
export function underNamespace(
  metadata: Readonly<Record<string, unknown>> | undefined,
  family: string,
  namespace: string,
): SharedV3ProviderOptions | undefined {
  const familyMetadata = metadata?.[family];
  return isJsonObject(familyMetadata) ? { [namespace]: familyMetadata } : undefined;
}
