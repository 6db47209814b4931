import type { RunLease, RunRecord } from "@switchyard/contracts";
import { TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { isResumable } from "../run/resume-hint.ts";

/** How a run stands, beyond what its record says: its process may be gone. */
export interface RunStanding {
  /** Its state for people. */
  readonly status: string;
  /** Whether its process died on the way. */
  readonly isCutOff: boolean;
  /** Whether it can be gone on with now. */
  readonly isResumable: boolean;
}

/** How a run stands by its record and by who may write to it. */
export function standingOf({ status }: Pick<RunRecord, "status">, lease: RunLease | undefined): RunStanding {
  const isHeld = lease?.isHeld === true;
  const isCutOff = lease !== undefined && !isHeld && !TERMINAL_RUN_STATUSES.includes(status);
  return {
    status: isCutOff ? `${status} (cut off)` : status,
    isCutOff,
    isResumable: isResumable(status) && !isHeld,
  };
}
