// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Returns the mutants that no test can detect, with the reason.
 * @returns {ReadonlyMap<string, string>}
 */
export function equivalentMutants() {
  /** @type {Record<string, string>} */
  const reasons = JSON.parse(readFileSync(join(import.meta.dirname, "../equivalent.json"), "utf8"));
  return new Map(Object.entries(reasons));
}
