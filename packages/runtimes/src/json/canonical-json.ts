import { isRecord } from "./is-record.ts";

/** JSON with sorted keys at every level, two spaces and a final newline: the same bytes for the same data. */
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(sorted(value), undefined, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
