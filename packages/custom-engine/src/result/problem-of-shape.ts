/** Maximum nesting depth of a result. A deeper result is rejected. */
const MAX_LEVELS = 100;
/**
 * Maximum number of JSON values in a result. Without it, a result with many invalid values would use much memory,
 * because reporting each of them takes kilobytes.
 */
const MAX_VALUES = 500_000;

/**
 * Returns why a JSON text is too complex to parse: too deep nesting or too many values. `undefined` if the text may be
 * parsed.
 */
export function problemOfShape(json: string): string | undefined {
  let depth = 0;
  let values = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText) {
      if (code === 92) index += 1;
      else if (code === 34) inText = false;
    } else if (code === 34) {
      inText = true;
    } else if (code === 91 || code === 123) {
      depth += 1;
      values += 1;
      if (depth > MAX_LEVELS) return `it has more than ${MAX_LEVELS} levels`;
    } else if (code === 93 || code === 125) {
      depth -= 1;
    } else if (code === 44) {
      values += 1;
    }
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return undefined;
}
