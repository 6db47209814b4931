import type { RegisteredTool } from "@switchyard/contracts";

/** Returns whether a call may be repeated when its outcome is unknown. architecture: decision 18. */
export function isRepeatable({ effects }: RegisteredTool): boolean {
  return effects === "readonly" || effects === "idempotent";
}
