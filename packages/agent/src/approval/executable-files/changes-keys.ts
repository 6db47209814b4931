import type { EditPreview } from "./preview-edit.ts";

function recordOf(text: string): ReadonlyMap<string, unknown> {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("not an object");
  return new Map(Object.entries(value));
}

/** Returns true if an edit of a JSON document changes one of the keys, or if the document cannot be parsed. */
export function changesKeys({ before = "{}", after }: EditPreview, keys: readonly string[]): boolean {
  try {
    const [old, now] = [recordOf(before), recordOf(after)];
    return keys.some((key) => JSON.stringify(old.get(key)) !== JSON.stringify(now.get(key)));
  } catch {
    return true;
  }
}
