/** Returns true if a dependency is a list of names. */
export function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
