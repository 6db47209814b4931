import type { JSONObject } from "@ai-sdk/provider";
import type { ResponseFormat } from "@switchyard/contracts";
import { isRecord } from "../failure/error-info.ts";
import { isRecursive } from "../projection/is-recursive.ts";
import { NOT_STRICT } from "../projection/schema-rule-tables.ts";

function isStrictPart(part: Readonly<Record<string, unknown>>): boolean {
  if (NOT_STRICT.value.some((keyword) => part[keyword] !== undefined)) return false;
  const { type, properties, required, additionalProperties } = part;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object")) || isRecord(properties);
  if (!isObject) return true;
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return additionalProperties === false && names.every((name) => Array.isArray(required) && required.includes(name));
}

/**
 * Returns whether OpenAI accepts a schema with `strict`: no object allows further properties, all properties are
 * required, and no keyword occurs that strict mode rejects. False in case of doubt, because a non-strict schema still guides the model.
 * Recursive schemas are not strict either: references are expanded, and the innermost level is open. The function is
 * iterative, so that a deep schema cannot overflow the stack.
 */
export function isStrictSchema(schema: Readonly<Record<string, unknown>>): boolean {
  if (isRecursive(schema)) return false;
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (Array.isArray(part)) waiting.push(...part);
    else if (isRecord(part)) {
      if (!isStrictPart(part)) return false;
      waiting.push(...Object.values(part));
    }
  }
  return true;
}

/**
 * Returns the AI SDK option that disables strict mode if OpenAI would reject the schema in strict mode; otherwise no
 * option. By default, the AI SDK uses strict mode. The caller validates the response in either mode.
 */
export function strictness(format: ResponseFormat | undefined): JSONObject {
  return format?.type === "json_schema" && !isStrictSchema(format.schema) ? { strictJsonSchema: false } : {};
}
