import type { ApprovalRequest } from "./approval-request.ts";

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return { entries: entries.map(([key, entry]) => [key, canonical(entry)]) };
}

/**
 * Returns a text that is equal for two requests exactly if they are the same call. That means the same version of a
 * tool, with the same arguments, in the same folder.
 */
export function signatureOf({ tool, args, revision }: ApprovalRequest, folder: string): string {
  return JSON.stringify([tool, folder, canonical(args), ...(revision === undefined ? [] : [revision.digest])]);
}
