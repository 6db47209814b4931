import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What of a value fits its schema. */
export interface SoundPart<T> {
  /** Absent where too little of it fits. */
  readonly value: T | undefined;
  /** What does not fit. */
  readonly issues: readonly Issue[];
}

/** Faults may hide behind faults; more rounds than this only a hostile document needs. */
const MAX_ROUNDS = 16;

/** Parses what fits, without what does not, so that everything else that is wrong can be told in the same breath. */
export function parseSoundPart<T>(schema: z.ZodType<T>, document: unknown): SoundPart<T> {
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

/** A copy without what is at a path. Items of a list are emptied in place: the others keep their numbers. */
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
