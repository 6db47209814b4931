import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

/**
 * Returns descriptions of the problems that a schema found, each with the path of the field. Values are omitted,
 * because they may be secrets.
 */
export function describeIssues(issues: readonly Issue[]): string[] {
  return issues.map((issue) => {
    const field = fieldPath(issue.path);
    if (issue.code === "invalid_type" && issue.input === undefined) return `${field} is required`;
    if (issue.code === "invalid_type") return `${field} must be ${KINDS[issue.expected] ?? issue.expected}`;
    if (issue.code === "too_small") return `${field} must not be empty`;
    if (issue.code === "invalid_value") return `${field} must be ${issue.values.map(String).join(" or ")}`;
    return `${field}: ${issue.message}`;
  });
}

/** Returns a field's path, such as `agent_task_executors[0].id`. */
function fieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return text === "" ? "the document" : text;
}
