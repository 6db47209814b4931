import { isRecord } from "./is-record.ts";

/** Returns JSON with sorted keys, two spaces of indentation and a final newline. Equal data yields identical bytes. */
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(sorted(value), undefined, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
