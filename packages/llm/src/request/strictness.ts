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
 * Whether OpenAI takes a schema with `strict`: every object closed, every property required, no keyword that it does
 * not know. What is not certain counts as no: such a schema still guides the model. Neither is a recursive one strict:
 * references are written out, and what is left of it in the end is open. Walked without recursion.
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
 * The AI SDK's option for a schema that OpenAI would refuse with `strict`, which is the SDK's default; the answer is
 * held against the schema by whoever asked for it in any case.
 */
export function strictness(format: ResponseFormat | undefined): JSONObject {
  return format?.type === "json_schema" && !isStrictSchema(format.schema) ? { strictJsonSchema: false } : {};
}
