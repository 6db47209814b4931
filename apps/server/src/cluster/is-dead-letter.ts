import type { RunRecord } from "@switchyard/contracts";

/** Number of lost attempts after which a run ends as a dead letter. */
export const MAX_LOST_ATTEMPTS = 3;

/** Returns whether a run ended because its worker died in too many attempts. */
export function isDeadLetter({
  status,
  lost_attempts: lost = 0,
}: Pick<RunRecord, "status" | "lost_attempts">): boolean {
  return status === "error" && lost >= MAX_LOST_ATTEMPTS;
}
