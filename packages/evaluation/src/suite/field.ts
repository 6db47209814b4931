import { isRecord } from "../files/is-record.ts";

/** Value in the suite file, with its path and the list of problems found so far. */
export interface Field {
  /** Path of the value from the document root, such as `cases[0].assert[1].contains`. Empty for the root. */
  readonly path: string;
  /** The value. `undefined` if absent. */
  readonly value: unknown;
  /** Problems found so far, one sentence each. Shared by all fields of the file. */
  readonly problems: string[];
}

/** Returns the field of a map that has the given name. */
export type FieldsByName = (name: string) => Field;

/** Adds a problem of a field to the list of problems. */
export function fail({ path, problems }: Field, problem: string): undefined {
  problems.push(`${path === "" ? "the file" : path} ${problem}`);
  return undefined;
}

/** True if the field has no value. YAML parses an empty value as null. */
export function isAbsent({ value }: Field): boolean {
  return value === undefined || value === null;
}

/** Returns a child of a field. */
export function below(field: Field, name: string | number, value: unknown): Field {
  const separator = field.path === "" ? "" : ".";
  const path = typeof name === "number" ? `${field.path}[${name}]` : `${field.path}${separator}${name}`;
  return { path, value, problems: field.problems };
}

/**
 * Reads a map with a fixed set of field names; records a problem for each unknown name. An absent map has no fields.
 */
export function readMap(field: Field, known: readonly string[]): FieldsByName | undefined {
  if (isAbsent(field)) return (name) => below(field, name, undefined);
  const { value } = field;
  if (!isRecord(value)) return fail(field, "must be a map");
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      fail(below(field, name, undefined), `is not a known setting; known are ${known.join(", ")}`);
  }
  return (name) => below(field, name, Object.hasOwn(value, name) ? value[name] : undefined);
}

/** Reads a map whose keys the user chooses. */
export function readEntries(field: Field): { name: string; field: Field }[] {
  const { value } = field;
  if (isAbsent(field)) return [];
  if (!isRecord(value)) {
    fail(field, "must be a map");
    return [];
  }
  return Object.entries(value).map(([name, entry]) => ({ name, field: below(field, name, entry) }));
}

/** Reads the entries of a list. */
export function readList(field: Field): Field[] {
  const { value } = field;
  if (isAbsent(field)) return [];
  if (!Array.isArray(value)) {
    fail(field, "must be a list");
    return [];
  }
  return value.map((entry: unknown, index) => below(field, index, entry));
}

/** Reads a non-empty string. */
export function readText(field: Field): string | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value !== "string") return fail(field, `must be a text${quotes(value)}`);
  return value.trim() === "" ? fail(field, "must not be empty") : value;
}

/** Reads a string that may be empty. */
export function readAnyText(field: Field): string | undefined {
  const { value } = field;
  if (typeof value === "string") return value;
  return fail(field, `must be a text${quotes(value)}`);
}

/** The message suggests quotes, because YAML parses an unquoted `20` or `true` as a number or boolean. */
function quotes(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean" ? "; put it in quotes" : "";
}

/** Reads an integer that is at least `least`. */
export function readCount(field: Field, least: number): number | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  return fail(field, `must be a whole number from ${least} on`);
}

/** Reads a positive number. */
export function readAmount(field: Field): number | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return fail(field, "must be a number above 0");
}

/** Reads a map of strings. */
export function readTexts(field: Field): Record<string, string> {
  const texts: [string, string][] = [];
  for (const { name, field: entry } of readEntries(field)) {
    const text = readAnyText(entry);
    if (text !== undefined) texts.push([name, text]);
  }
  return Object.fromEntries(texts);
}

/** Reads a required value; records a problem if it is absent. */
export function required<T>(field: Field, read: (field: Field) => T | undefined): T | undefined {
  return isAbsent(field) ? fail(field, "is required") : read(field);
}
