import { type Field, fail, isAbsent, readText } from "./field.ts";

/** Maximum length of an id or name, in characters. Reports use them as table headings. */
const MAX_NAME = 100;

/** Reads the name of a case or variant, as it is shown in reports. */
export function readName(field: Field): string | undefined {
  const name = readText(field);
  if (name === undefined) return undefined;
  if (/\p{Cc}/u.test(name) || name !== name.trim()) return fail(field, "must be one line without spaces round it");
  return name.length > MAX_NAME ? fail(field, `must have at most ${MAX_NAME} characters`) : name;
}

/** Adds a problem for each name that occurs more than once. */
export function refuseTwins(names: readonly Field[]): void {
  const seen = new Map<unknown, string>();
  for (const field of names) {
    if (isAbsent(field) || field.value === "") continue;
    const first = seen.get(field.value);
    if (first === undefined) seen.set(field.value, field.path);
    else fail(field, `is the same as ${first}; each must be unique`);
  }
}
