import { type BudgetView, type CallerView, isoTime } from "@switchyard/contracts";
import type { Caller } from "../guard/caller.ts";
import type { RunScheduler } from "../scheduler/run-scheduler.ts";

/** Data, in addition to the caller itself, from which the response about a caller is built. */
interface CallerFacts {
  readonly scheduler: Pick<RunScheduler, "usageOf">;
  readonly nowMs: number;
  /** Budget of the caller's owner. `undefined`: none. */
  readonly budget: BudgetView | undefined;
}

/** Returns what a caller may learn about itself: owner, roles, and what is left of the owner's limits. */
export function toCallerView(
  { owner, roles, subject, expiresAtMs }: Caller,
  { scheduler, nowMs, budget }: CallerFacts,
): CallerView {
  const { waiting, running, started, waitingLeft, quota } = scheduler.usageOf(owner, isoTime(nowMs).slice(0, 10));
  const { maxRunning, maxStartsPerDay } = quota;
  const left = (limit: number, used: number): number => Math.max(0, limit - used);
  return {
    owner,
    roles: [...roles],
    ...(subject === undefined ? {} : { subject }),
    ...(expiresAtMs === undefined ? {} : { expires_at: isoTime(expiresAtMs) }),
    ...{ waiting, running, started_today: started, waiting_left: waitingLeft },
    ...(maxRunning === undefined ? {} : { running_left: left(maxRunning, running) }),
    ...(maxStartsPerDay === undefined ? {} : { starts_left: left(maxStartsPerDay, started) }),
    ...(budget === undefined ? {} : { budget }),
  };
}
