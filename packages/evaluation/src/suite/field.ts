import { isRecord } from "../files/is-record.ts";

/** A value of a file, where it stands, and the list that all problems of the file go into. */
export interface Field {
  /** Path from the top, such as `cases[0].assert[1].contains`; empty for the whole. */
  readonly path: string;
  /** What stands there; `undefined` where nothing does. */
  readonly value: unknown;
  /** Problems found so far, one sentence each. */
  readonly problems: string[];
}

/** The fields of a map, by name. */
export type FieldsByName = (name: string) => Field;

/** Notes a problem of a field. */
export function fail({ path, problems }: Field, problem: string): undefined {
  problems.push(`${path === "" ? "the file" : path} ${problem}`);
  return undefined;
}

/** Whether nothing stands there. YAML writes an empty value as null. */
export function isAbsent({ value }: Field): boolean {
  return value === undefined || value === null;
}

/** The field below a field. */
export function below(field: Field, name: string | number, value: unknown): Field {
  const separator = field.path === "" ? "" : ".";
  const path = typeof name === "number" ? `${field.path}[${name}]` : `${field.path}${separator}${name}`;
  return { path, value, problems: field.problems };
}

/** The fields of a map of which the names are known; others are problems. An absent map has none. */
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

/** The entries of a map with names of its own. */
export function readEntries(field: Field): { name: string; field: Field }[] {
  const { value } = field;
  if (isAbsent(field)) return [];
  if (!isRecord(value)) {
    fail(field, "must be a map");
    return [];
  }
  return Object.entries(value).map(([name, entry]) => ({ name, field: below(field, name, entry) }));
}

/** The entries of a list. */
export function readList(field: Field): Field[] {
  const { value } = field;
  if (isAbsent(field)) return [];
  if (!Array.isArray(value)) {
    fail(field, "must be a list");
    return [];
  }
  return value.map((entry: unknown, index) => below(field, index, entry));
}

/** A text that is not empty. */
export function readText(field: Field): string | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value !== "string") return fail(field, `must be a text${quotes(value)}`);
  return value.trim() === "" ? fail(field, "must not be empty") : value;
}

/** A text that may be empty. */
export function readAnyText(field: Field): string | undefined {
  const { value } = field;
  if (typeof value === "string") return value;
  return fail(field, `must be a text${quotes(value)}`);
}

/** YAML takes `20` and `yes` for something else than texts. */
function quotes(value: unknown): string {
  return typeof value === "number" || typeof value === "boolean" ? "; put it in quotes" : "";
}

/** A whole number from `least` on. */
export function readCount(field: Field, least: number): number | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return value;
  return fail(field, `must be a whole number from ${least} on`);
}

/** A number above 0. */
export function readAmount(field: Field): number | undefined {
  const { value } = field;
  if (isAbsent(field)) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
  return fail(field, "must be a number above 0");
}

/** Texts by name. */
export function readTexts(field: Field): Record<string, string> {
  const texts: [string, string][] = [];
  for (const { name, field: entry } of readEntries(field)) {
    const text = readAnyText(entry);
    if (text !== undefined) texts.push([name, text]);
  }
  return Object.fromEntries(texts);
}

/** A value that must be there. */
export function required<T>(field: Field, read: (field: Field) => T | undefined): T | undefined {
  return isAbsent(field) ? fail(field, "is required") : read(field);
}
