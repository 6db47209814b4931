import { EngineError, messageOf } from "@switchyard/contracts";
import type { Assertion } from "./eval-suite.ts";
import { type Field, fail, readText } from "./field.ts";

/** Reads and compiles a regular expression. */
export async function readPattern(field: Field): Promise<(Assertion & { kind: "matches" }) | undefined> {
  const pattern = readText(field);
  if (pattern === undefined) return undefined;
  const { compileLineMatcher } = await import("@switchyard/environment");
  try {
    return { kind: "matches", pattern, test: await compileLineMatcher(pattern, false) };
  } catch (error) {
    const cause = EngineError.is(error) ? error.details["problem"] : error;
    return fail(field, `is not an RE2 pattern: ${messageOf(cause)}`);
  }
}
