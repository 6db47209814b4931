/** Values of price-relevant settings for which the list price applies. */
const STANDARD: ReadonlyMap<string, RegExp> = new Map([
  ["servicetier", /^(?:auto|default|standard|standard_only)$/i],
  ["speed", /^standard$/i],
  ["inferencegeo", /^(?:global|not_available)$/i],
  ["ttl", /^5m$/i],
]);

/**
 * Returns whether the vendor's list prices apply to a request with these settings. Settings are checked at any depth
 * and in camel case or snake case.
 */
export function isStandard(settings: unknown): boolean {
  if (typeof settings !== "object" || settings === null) return true;
  return Object.entries(settings).every(([name, value]) => {
    const standard = STANDARD.get(name.replaceAll("_", "").toLowerCase());
    return standard !== undefined && typeof value === "string" ? standard.test(value) : isStandard(value);
  });
}
