import { type Field, isAbsent, readList } from "./field.ts";
import { readScalar } from "./scalar-fields.ts";

/** Reads the tags of a case: one text, or a list of texts. */
export function readTags(field: Field): string[] {
  const entries = Array.isArray(field.value) ? readList(field) : isAbsent(field) ? [] : [field];
  return entries.flatMap((entry) => readScalar(entry) ?? []);
}
