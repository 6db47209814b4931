/** First difference between two plain values. */
export interface Difference {
  /** Path, such as `messages[3].parts[0].text`. */
  path: string;
  /** Expected value, as truncated JSON. */
  expected: string;
  /** Actual value, as truncated JSON. */
  actual: string;
}

/** Options for the comparison. */
export interface DifferenceOptions {
  /** Function that is applied to every text of both values before the comparison. */
  normalise?: ((text: string) => string) | undefined;
  /** Names of properties to ignore at any depth. */
  ignore?: ReadonlySet<string> | undefined;
}

const SHOWN = 120;

function shown(value: unknown, from = 0): string {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value));
  const start = from > SHOWN / 2 ? from - SHOWN / 2 : 0;
  const cut = text.slice(start, start + SHOWN);
  return `${start > 0 ? "…" : ""}${cut}${start + SHOWN < text.length ? "…" : ""}`;
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textDifference(expected: string, actual: string, path: string): Difference {
  // The position refers to the JSON texts, which are shown. Escaped characters are longer there than in the original
  // texts.
  const from = commonLength(JSON.stringify(expected), JSON.stringify(actual));
  return { path, expected: shown(expected, from), actual: shown(actual, from) };
}

function listDifference(
  expected: readonly unknown[],
  actual: readonly unknown[],
  at: { path: string; options: DifferenceOptions },
): Difference | undefined {
  const length = Math.max(expected.length, actual.length);
  for (let index = 0; index < length; index += 1) {
    const found = differenceAt(expected[index], actual[index], { ...at, path: `${at.path}[${index}]` });
    if (found !== undefined) return found;
  }
  return undefined;
}

function objectDifference(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  at: { path: string; options: DifferenceOptions },
): Difference | undefined {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    if (at.options.ignore?.has(name)) continue;
    const path = at.path === "" ? name : `${at.path}.${name}`;
    const found = differenceAt(expected[name], actual[name], { ...at, path });
    if (found !== undefined) return found;
  }
  return undefined;
}

function differenceAt(
  expected: unknown,
  actual: unknown,
  at: { path: string; options: DifferenceOptions },
): Difference | undefined {
  if (typeof expected === "string" && typeof actual === "string") {
    if (expected === actual) return undefined;
    const { normalise = (text: string) => text } = at.options;
    const left = normalise(expected);
    const right = normalise(actual);
    return left === right ? undefined : textDifference(left, right, at.path);
  }
  if (Array.isArray(expected) && Array.isArray(actual)) return listDifference(expected, actual, at);
  if (isObject(expected) && isObject(actual)) return objectDifference(expected, actual, at);
  return Object.is(expected, actual) ? undefined : { path: at.path, expected: shown(expected), actual: shown(actual) };
}

/**
 * Returns the first difference between two plain values. `undefined` if the values are equal. A property with the value
 * `undefined` counts as absent.
 */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  options: DifferenceOptions = {},
): Difference | undefined {
  return differenceAt(expected, actual, { path: "", options });
}
