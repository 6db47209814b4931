import { type Field, fail, isAbsent, readEntries, readList } from "./field.ts";

/** Reads a text. Numbers and booleans count as text, because skill-up's reader converts them. Empty means absent. */
export function readScalar(field: Field): string | undefined {
  const { value } = field;
  if (isAbsent(field) || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return fail(field, "must be a text");
}

/** Reads a list of texts. */
export function readScalars(field: Field): string[] {
  return readList(field).flatMap((entry) => {
    const text = readScalar(entry);
    if (text === undefined && (isAbsent(entry) || entry.value === "")) fail(entry, "must not be empty");
    return text === undefined ? [] : [text];
  });
}

/** Reads a map of texts. */
export function readScalarMap(field: Field): Record<string, string> {
  const entries = readEntries(field).map(({ name, field: entry }) => {
    const isEmpty = isAbsent(entry) || entry.value === "";
    return [name, isEmpty ? "" : (readScalar(entry) ?? "")] as const;
  });
  return Object.fromEntries(entries);
}

/** Reads a whole number. */
export function readInteger(field: Field): number | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  return typeof value === "number" && Number.isSafeInteger(value) ? value : fail(field, "must be a whole number");
}

/** Reads a boolean. */
export function readFlag(field: Field): boolean | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  return typeof value === "boolean" ? value : fail(field, "must be true or false");
}

/** Reads a text that must be one of the known values. `undefined` if the field is absent or empty. */
export function readOneOf<T extends string>(field: Field, known: readonly T[]): T | undefined {
  if (isAbsent(field) || field.value === "") return undefined;
  return known.find((one) => one === field.value) ?? fail(field, `must be one of ${known.join(", ")}`);
}
