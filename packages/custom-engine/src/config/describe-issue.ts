import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  json: "a JSON value",
};

/** Returns the problems that a schema found, each as one sentence with the full path of the field. */
export function describeIssues(issues: readonly Issue[], root: string): string[] {
  return issues.flatMap((issue) => describeIssue(issue, root));
}

function describeIssue(issue: Issue, root: string): string[] {
  const field = fieldPath(root, issue.path);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(field, key));
  if (issue.code === "invalid_type") {
    if (issue.input === undefined) return [`${field} is required`];
    return [`${field} must be ${KINDS[issue.expected] ?? issue.expected} (got ${describe(issue.input)})`];
  }
  if (issue.code === "too_small") return [`${field} is required`];
  return [`${field}: ${issue.message}`];
}

function unknownKey(field: string, key: string): string {
  if (field === "engine" && key === "entry")
    return "engine.entry is not supported; describe the engine in engine.custom";
  return `${field}.${key} is not a known setting`;
}

/**
 * Returns a description of a value for an error message. The content of strings is omitted, because it may be secret.
 */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" ? "a map" : `a ${typeof value === "string" ? "text" : typeof value}`;
}

/** Returns a field's path, such as `engine.custom.local.args[0]`. */
export function fieldPath(root: string, path: readonly PropertyKey[]): string {
  let text = root;
  for (const key of path) text += typeof key === "number" ? `[${key}]` : `.${String(key)}`;
  return text;
}
