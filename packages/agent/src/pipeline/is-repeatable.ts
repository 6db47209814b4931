import type { RegisteredTool } from "@switchyard/contracts";

/** Whether a call may be made again when nobody knows what came of it. architecture: decision 18. */
export function isRepeatable({ effects }: RegisteredTool): boolean {
  return effects === "readonly" || effects === "idempotent";
}
