import { type ListedRun, TERMINAL_RUN_STATUSES } from "@switchyard/contracts";
import { storedRunState } from "./stored-run-state.ts";

/**
 * Statuses by which a list of runs can be filtered. `cut_off` (the process died) and `damaged` are derived; no stored
 * record contains them.
 */
export const LISTED_STATUSES: readonly string[] = [
  ...["queued", "running", "awaiting_input"],
  ...TERMINAL_RUN_STATUSES,
  ...["cut_off", "damaged"],
];

/** Selects stored runs from a list. A run must meet all conditions. */
export interface RunFilter {
  /** Accepted statuses, from `LISTED_STATUSES`. Default: all. */
  readonly status?: readonly string[] | undefined;
  /** Text that the task or the id contains, in upper or lower case. */
  readonly search?: string | undefined;
  /** Paths of workspace folders. Default: any folder. */
  readonly folders?: readonly string[] | undefined;
}

/** Returns whether a stored run meets all conditions of a filter. */
export function matchesFilter(run: ListedRun, { status, search, folders }: RunFilter): boolean {
  const record = "record" in run ? run.record : undefined;
  if (folders !== undefined && !folders.includes(record?.workspace ?? "")) return false;
  if (status !== undefined && !status.includes(listedStatusOf(run))) return false;
  if (search === undefined) return true;
  const text = search.toLowerCase();
  return [run.runId, record?.title ?? ""].some((part) => part.toLowerCase().includes(text));
}

/** Returns the status by which a run is filtered. */
function listedStatusOf(run: ListedRun): string {
  if ("problem" in run) return "damaged";
  return storedRunState(run.record, run.lease).isCutOff ? "cut_off" : run.record.status;
}
