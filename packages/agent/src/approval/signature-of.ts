import type { ApprovalRequest } from "./approval-request.ts";

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) };
}

/**
 * A text that two requests share exactly when they are about the same call of the same version of a tool, made in the
 * same folder.
 */
export function signatureOf({ tool, args, revision }: ApprovalRequest, folder: string): string {
  return JSON.stringify([tool, folder, canonical(args), ...(revision === undefined ? [] : [revision.digest])]);
}
