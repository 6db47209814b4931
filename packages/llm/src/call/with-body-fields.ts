import { isRecord, jsonValue } from "../failure/error-info.ts";

function merge(
  base: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(extra)) {
    const present = merged[name];
    merged[name] = isRecord(present) && isRecord(value) ? merge(present, value) : value;
  }
  return merged;
}

/**
 * Returns a JSON request body with additional fields, in the provider's naming. Objects are merged; other values are
 * replaced.
 */
export function withBodyFields(body: string, fields: unknown): string {
  if (!isRecord(fields)) return body;
  const parsed = jsonValue(body);
  return isRecord(parsed) ? JSON.stringify(merge(parsed, fields)) : body;
}
