/** The first value that is a number, a truth value or a text that is not blank, as text without surrounding spaces. */
export function firstWord(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === "string" && value.trim() !== "") return value.trim();
    if (typeof value === "number" || typeof value === "boolean") return String(value);
  }
  return undefined;
}
