import { messageOf } from "@switchyard/contracts";

/** A pattern that extracts a value from a text, or the problem of the pattern. */
export type CompiledCapture =
  | {
      /** Returns the value. `undefined` if the pattern does not match. */
      readonly capture: (text: string) => string | undefined;
    }
  | { readonly problem: string };

/** Name of the group that contains the value. */
const VALUE = "value";

/**
 * Compiles a regular expression that extracts a value: its group `value`, or else its only group. Matching takes linear
 * time (RE2 syntax).
 */
export async function compileCapture(pattern: string): Promise<CompiledCapture> {
  const { RE2JS } = await import("re2js");
  try {
    const expression = RE2JS.compile(pattern);
    const isNamed = Object.hasOwn(expression.namedGroups(), VALUE);
    const groups = expression.groupCount();
    if (!isNamed && groups !== 1)
      return { problem: `must have a group (?P<value>…) or exactly one group; it has ${groups}` };
    return {
      capture: (text) => {
        const matcher = expression.matcher(text);
        return matcher.find() ? (matcher.group(isNamed ? VALUE : 1) ?? undefined) : undefined;
      },
    };
  } catch (error) {
    return { problem: `is not an RE2 pattern: ${messageOf(error)}` };
  }
}
