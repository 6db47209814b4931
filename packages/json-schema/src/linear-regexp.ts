import { RE2JS } from "re2js";

/** Methods of a regular expression that a validator uses. */
export interface LinearRegExp {
  /** Returns true if the expression matches anywhere in the text. */
  test(text: string): boolean;
  /** Returns the source of the expression. The validator treats expressions with the same source as equal. */
  toString(): string;
}

/**
 * Compiles a regular expression that runs in linear time, so that an untrusted pattern cannot block the process. Throws
 * for look-around and back-references.
 */
function compileLinear(pattern: string): LinearRegExp {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
}

/** Returns true if a value is a regular expression that can be checked in linear time. */
export function isLinearPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    compileLinear(value);
    return true;
  } catch {
    return false;
  }
}

/** The regular expression engine for the `code.regExp` option of ajv. */
export const linearRegExp: ((pattern: string, flags: string) => LinearRegExp) & { code: string } = Object.assign(
  (pattern: string) => compileLinear(pattern),
  { code: "linearRegExp" },
);
