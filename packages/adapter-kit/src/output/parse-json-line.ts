/** An object that came from outside. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with fields. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object on a line of JSON. Throws a SyntaxError where there is none. agent-adapter: structured output. */
export function parseJsonLine(line: string): JsonObject {
  const value: unknown = JSON.parse(line);
  if (!isJsonObject(value)) throw new SyntaxError("The line holds no object.");
  return value;
}

/** A field's text, or the empty text. */
export function textAt(object: unknown, field: string): string {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === "string" ? value : "";
}

/** A field's number. */
export function numberAt(object: unknown, field: string): number | undefined {
  const value = isJsonObject(object) ? object[field] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** A field's object; an empty one where there is none. */
export function objectAt(object: unknown, field: string): JsonObject {
  const value = isJsonObject(object) ? object[field] : undefined;
  return isJsonObject(value) ? value : {};
}

/** A field's list; an empty one where there is none. */
export function listAt(object: unknown, field: string): readonly unknown[] {
  const value = isJsonObject(object) ? object[field] : undefined;
  return Array.isArray(value) ? value : [];
}
