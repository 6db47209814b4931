import type { RunLease, RunRecord } from "@switchyard/contracts";
import { RESUMABLE_RUN_STATUSES, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";

/** State of a stored run, derived from its record and from whether its process is still alive. */
export interface StoredRunState {
  /** Human-readable status, such as `running (cut off)`. */
  readonly status: string;
  /** True if the run's process died before the run ended. */
  readonly isCutOff: boolean;
  /** True if the run can be resumed now. */
  readonly isResumable: boolean;
}

/** Derives the state of a run from the run's record and lease. */
export function storedRunState({ status }: Pick<RunRecord, "status">, lease: RunLease | undefined): StoredRunState {
  const isHeld = lease?.isHeld === true;
  const isCutOff = lease !== undefined && !isHeld && !TERMINAL_RUN_STATUSES.includes(status);
  return {
    status: isCutOff ? `${status} (cut off)` : status,
    isCutOff,
    isResumable: RESUMABLE_RUN_STATUSES.includes(status) && !isHeld,
  };
}
