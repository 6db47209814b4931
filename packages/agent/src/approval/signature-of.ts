import type { ApprovalRequest } from "./approval-request.ts";

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) };
}

/**
 * Returns a text that identifies a call. It is equal for two requests if and only if they have the same tool version,
 * arguments and folder.
 */
export function signatureOf({ tool, args, revision }: ApprovalRequest, folder: string): string {
  return JSON.stringify([tool, folder, canonical(args), ...(revision === undefined ? [] : [revision.digest])]);
}
