import { isRecord } from "../failure/error-info.ts";

/** Returns the entries of a model list in a response body. `undefined` if the body contains no model list. */
export function entriesOf(body: unknown, field: string): readonly Record<string, unknown>[] | undefined {
  const list = isRecord(body) ? body[field] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

/** Returns a non-empty string, or `undefined` for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a positive token count, or `undefined` for anything else, including 0, which providers use for "unknown". */
export function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
