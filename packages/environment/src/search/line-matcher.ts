import { EngineError } from "@switchyard/contracts";

/** Function that returns whether a line matches. */
export type LineMatcher = (line: string) => boolean;

/**
 * Compiles a regular expression for a search without ripgrep. Matching takes linear time: like ripgrep, RE2 has no
 * look-around and no back-references; `\w`, `\d` and `\b` are ASCII. Throws `environment.invalid_pattern`.
 */
export async function compileLineMatcher(pattern: string, caseInsensitive: boolean): Promise<LineMatcher> {
  // The library is imported on demand: environments with ripgrep, which are the majority, do not need it.
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(pattern, caseInsensitive ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => expression.test(line);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new EngineError("environment.invalid_pattern", { pattern: pattern.slice(0, 200), problem }, { cause: error });
  }
}
