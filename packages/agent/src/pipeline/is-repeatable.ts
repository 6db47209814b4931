import type { RegisteredTool } from "@switchyard/contracts";

/** Returns whether a call with an unknown outcome can safely be repeated. See architecture: decision 18. */
export function isRepeatable({ effects }: RegisteredTool): boolean {
  return effects === "readonly" || effects === "idempotent";
}
