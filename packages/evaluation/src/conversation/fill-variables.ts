/** Replaces each `{{name}}` with the captured value. Returns the names of values that were not captured, if any. */
export function fillVariables(
  text: string,
  values: ReadonlyMap<string, string>,
): { readonly text: string } | { readonly missing: readonly string[] } {
  const missing: string[] = [];
  const filled = text.replaceAll(/\{\{(\w+)\}\}/gu, (found, name: string) => {
    const value = values.get(name);
    if (value === undefined) missing.push(name);
    return value ?? found;
  });
  return missing.length === 0 ? { text: filled } : { missing };
}
