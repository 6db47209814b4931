import type { SessionInput } from "@switchyard/contracts";

/** Returns the shorter of two limits. 0 means unlimited. */
export function shorterLimit(
  maxRunSeconds: number | undefined,
  { timeout_seconds: wanted = 0 }: SessionInput,
): Pick<SessionInput, "timeout_seconds"> {
  if (maxRunSeconds === undefined || maxRunSeconds === 0) return {};
  return { timeout_seconds: wanted === 0 ? maxRunSeconds : Math.min(wanted, maxRunSeconds) };
}
