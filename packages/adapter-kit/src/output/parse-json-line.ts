/** A parsed, untrusted JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns true if a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses the JSON object on a line. Throws a `SyntaxError` if there is none. See agent-adapter: structured output. */
export function parseJsonLine(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) throw new SyntaxError("The line is not a JSON object.");
  return value;
}

/** Returns the value of a string field. Empty if the field is missing or not a string. */
export function textAt(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === "string" ? value : "";
}

/** Returns a field's number. */
export function numberAt(object: unknown, field: string): number | undefined {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** Returns the value of an object field. Empty if the field is missing or not an object. */
export function objectAt(object: unknown, field: string): JsonObject {
  const value = isJsonObject(object) ? object[field] : undefined;
  return isJsonObject(value) ? value : {};
}

/** Returns the value of an array field. Empty if the field is missing or not an array. */
export function listAt(object: unknown, field: string): readonly unknown[] {
  const value = isJsonObject(object) ? object[field] : undefined;
  return Array.isArray(value) ? value : [];
}
