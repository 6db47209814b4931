import { EngineError } from "@switchyard/contracts";

/** Decides whether a line matches. */
export type LineMatcher = (line: string) => boolean;

/**
 * Compiles a regular expression for a search without ripgrep. Time is linear in the line whatever the expression: the
 * syntax is RE2's, which has no look-around and no back-references, like ripgrep's; `\w`, `\d` and `\b` know ASCII.
 * Throws `environment.invalid_pattern`.
 */
export async function compileLineMatcher(pattern: string, caseInsensitive: boolean): Promise<LineMatcher> {
  // Loaded when it is needed: most places have ripgrep.
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => expression.test(line);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem }, { cause: error });
  }
}
