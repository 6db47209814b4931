/** Escapes of ECMAScript that Python's `re` reads the same way. */
const ESCAPES = /\\(?:[dDwWsSbBtnrfv^$\\.*+?()[\]{}|/"'-]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/g;

/** Whether a pattern means the same to Python's `re`, without look-around, back references and named groups. */
function isPortable(pattern: string): boolean {
  try {
    new RegExp(pattern, "u");
  } catch {
    return false;
  }
  const rest = pattern.replace(ESCAPES, "");
  return !rest.includes("\\") && !/\(\?(?!:)/.test(rest) && !/\[(?:\[|[^\]]*(?:--|&&|~~|\|\|))/.test(rest);
}

/** Whether a grammar can be made of a pattern: anchored at both ends, without classes that are named by a letter. */
function isAnchored(pattern: string): boolean {
  const inner = pattern.slice(1, -1);
  if (!pattern.startsWith("^") || !pattern.endsWith("$") || pattern.endsWith("\\$")) return false;
  return !/\\[a-zA-Z]/.test(inner.replaceAll("\\d", "")) && !/(?<![[\\])\^|(?<!\\)\$/.test(inner);
}

/** Whether a pattern is sent. */
export function isSentPattern(pattern: unknown, policy: "none" | "anchored" | "python"): boolean {
  if (policy === "none" || typeof pattern !== "string" || !isPortable(pattern)) return false;
  return policy === "python" || isAnchored(pattern);
}
