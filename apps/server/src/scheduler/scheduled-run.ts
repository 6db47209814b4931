import type { RunRecord } from "@switchyard/contracts";
import type { RunNeeds } from "./run-needs.ts";

/** A run that waits for a worker. */
export interface ScheduledRun {
  /** Id of the run. */
  readonly runId: string;
  /** Owner of the run. */
  readonly owner: string;
  /** Time at which the run was accepted or queued again, in milliseconds since 1970. Default: unknown. */
  readonly queuedAtMs?: number | undefined;
  /** Among the runs of one owner, those with a higher number start first. Default: 0. */
  readonly priority?: number | undefined;
  /** Requirements that a worker must meet. Default: any worker can execute the run. */
  readonly needs?: RunNeeds | undefined;
}

/** Returns the time at which a run was accepted or queued again, in milliseconds since 1970. */
export function queuedAtMsOf({ created_at, queued_at = created_at }: RunRecord): number {
  return Date.parse(queued_at);
}
