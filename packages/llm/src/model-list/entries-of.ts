import { isRecord } from "../failure/error-info.ts";

/** The entries of a list in a response body; `undefined` if the body has no such list. */
export function entriesOf(body: unknown, field: string): readonly Record<string, unknown>[] | undefined {
  const list = isRecord(body) ? body[field] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : undefined;
}

/** A non-empty text; `undefined` for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A positive token count; `undefined` for anything else, and for 0, which providers use for "unknown". */
export function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}
