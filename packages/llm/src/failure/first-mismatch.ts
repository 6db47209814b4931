import { isRecord } from "./error-info.ts";

/** One problem that a schema validation found. */
interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}

/** Maximum depth of nested unions that are searched for a mismatch. */
const MAX_LEVELS = 5;

function shownPath(path: readonly unknown[]): string {
  const shown = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return shown.replace(/^\./, "");
}

/** Returns the issue with the longest path. For a union, searches the issues of the variant that matches best. */
function deepest(issues: unknown, base: readonly unknown[], level: number): Issue | undefined {
  if (!Array.isArray(issues) || level > MAX_LEVELS) return undefined;
  let found: Issue | undefined;
  for (const issue of issues) {
    if (!isRecord(issue)) continue;
    const path = [...base, ...(Array.isArray(issue["path"]) ? issue["path"] : [])];
    const variants = Array.isArray(issue["errors"]) ? issue["errors"] : [];
    const inner = variants.map((variant) => deepest(variant, path, level + 1)).filter((one) => one !== undefined);
    const mismatch = { path, message: String(issue["message"]) };
    const best = inner.sort((one, other) => other.path.length - one.path.length)[0] ?? mismatch;
    if (found === undefined || best.path.length > found.path.length) found = best;
  }
  return found;
}

function issuesOf(error: unknown): unknown {
  const cause = error instanceof Error || isRecord(error) ? error.cause : undefined;
  if (cause instanceof Error && "issues" in cause) return cause.issues;
  return isRecord(cause) ? cause["issues"] : undefined;
}

/**
 * Returns the path at which a response deviates from the API's documented format, such as `choices[0].message.content`,
 * and the problem.
 */
export function firstMismatch(error: unknown): string | undefined {
  const issue = deepest(issuesOf(error), [], 0);
  if (issue === undefined || issue.path.length === 0) return undefined;
  return `${shownPath(issue.path)}: ${issue.message.replace(/^Invalid input: /, "")}`;
}
