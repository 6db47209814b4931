/** Returns the first value that is a number, a boolean or a non-blank string, as trimmed text. */
export function firstScalar(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" || typeof value === "boolean") return String(value);
  }
  return undefined;
}
