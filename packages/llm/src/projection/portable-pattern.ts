/** ECMAScript escapes with the same meaning in Python's `re`. */
const ESCAPES = /\\(?:[dDwWsSbBtnrfv^$\\.*+?()[\]{}|/"'-]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/g;

/** Returns whether a pattern has the same meaning in Python's `re`: no look-around, back references or named groups. */
function isPortable(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
  } catch {
    return false;
  }
  const rest = pattern.replace(ESCAPES, "");
  return !rest.includes("\\") && !/\(\?(?!:)/.test(rest) && !/\[(?:\[|[^\]]*(?:--|&&|~~|\|\|))/.test(rest);
}

/**
 * Returns whether a pattern can be converted to a grammar: anchored at both ends, and without letter escapes such as
 * `\w`, except `\d`.
 */
function isAnchored(pattern: string): boolean {
  const inner = pattern.slice(1, -1);
  if (!pattern.startsWith("^") || !pattern.endsWith("$") || pattern.endsWith("\\$")) return false;
  return !/\\[a-zA-Z]/.test(inner.replaceAll("\\d", "")) && !/(?<![[\\])\^|(?<!\\)\$/.test(inner);
}

/** Returns whether a `pattern` keyword is sent to the API. */
export function isSentPattern(pattern: unknown, policy: "none" | "anchored" | "python"): boolean {
  if (policy === "none" || typeof pattern !== "string" || !isPortable(pattern)) return false;
  return policy === "python" || isAnchored(pattern);
}
