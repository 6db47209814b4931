import { RE2JS } from "re2js";

/** What a validator needs of a regular expression. */
export interface LinearRegExp {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** Its source: ajv takes two expressions with the same one for the same. */
  toString(): string;
}

/**
 * A regular expression that takes time linear in the text, for patterns that come from outside: one from a schema
 * must not be able to stop the process. Throws on what linear time cannot do (look-around, back references).
 */
function compileLinear(pattern: string): LinearRegExp {
  const compiled = RE2JS.compile(pattern);
  return { test: (text) => compiled.matcher(text).find(), toString: () => `/${pattern}/` };
}

/** Whether a value is a pattern that can be checked in linear time. */
export function isLinearPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    compileLinear(value);
    return true;
  } catch {
    return false;
  }
}

/** The engine in the form ajv takes it (`code.regExp`). */
export const linearRegExp: ((pattern: string, flags: string) => LinearRegExp) & { code: string } = Object.assign(
  (pattern: string) => compileLinear(pattern),
  { code: "linearRegExp" },
);
