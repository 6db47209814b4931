import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Result of parsing: the valid part of a document and the problems of the rest. */
export interface ValidPart<T> {
  /**
   * Valid part of the document. `undefined` if the document does not match the schema even after its invalid parts were
   * removed.
   */
  readonly value: T | undefined;
  /** Problems of the invalid parts. */
  readonly issues: readonly Issue[];
}

/** Maximum number of validation passes. Several passes are needed because a problem can hide other problems. */
const MAX_ROUNDS = 16;

/**
 * Parses a document, removing invalid parts and repeating the validation, so that all problems are reported at once.
 */
export function parseValidPart<T>(schema: z.ZodType<T>, document: unknown): ValidPart<T> {
  const issues: Issue[] = [];
  let value = document;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return { value: parsed.data, issues };
    const known = new Set(issues.map(keyOf));
    const fresh = parsed.error.issues.filter((issue) => !known.has(keyOf(issue)));
    if (fresh.length === 0) break;
    issues.push(...fresh);
    value = fresh.reduce((rest: unknown, issue) => without(rest, pathsOf(issue)), value);
  }
  return { value: undefined, issues };
}

function keyOf({ code, path }: Issue): string {
  return `${code} ${path.map(String).join("\0")}`;
}

function pathsOf(issue: Issue): readonly (readonly PropertyKey[])[] {
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

function without(value: unknown, paths: readonly (readonly PropertyKey[])[]): unknown {
  return paths.reduce(remove, value);
}

/**
 * Returns a copy without the value at a path. List items are emptied instead of removed, so that the indexes of other
 * items stay the same.
 */
function remove(value: unknown, [key, ...rest]: readonly PropertyKey[]): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? replaced(item, rest) : item));
  const entries = Object.entries(value).flatMap(([name, item]: [string, unknown]) => {
    if (name !== key) return [[name, item]];
    return rest.length === 0 ? [] : [[name, remove(item, rest)]];
  });
  return Object.fromEntries(entries);
}

function replaced(item: unknown, rest: readonly PropertyKey[]): unknown {
  if (rest.length > 0) return remove(item, rest);
  return typeof item === "string" ? item : "";
}
