import { EngineError } from "@switchyard/contracts";
import type { SessionOptions } from "@switchyard/runner";
import type { BudgetAnswer } from "../scheduler/budget-pauses.ts";
import type { ServerOptions } from "../server/server-options.ts";
import type { RunSlot } from "./run-executor.ts";

type SharedBudget = Awaited<ReturnType<NonNullable<SessionOptions["openSharedBudget"]>>>;

/**
 * Result of asking whether another run may start within the budgets (spending limits) that several runs share. Asked
 * before the run acquires anything else.
 */
export interface BudgetClaim {
  /** Budgets in which the run now counts as active. `undefined`: the run has none. */
  readonly budget?: SharedBudget;
  /** Reason why the run must end, such as `budget.day_exceeded`. */
  readonly error?: unknown;
}

/** Reason why a run must wait in its queue. */
export interface BudgetWait {
  /** Which limit of concurrent runs is reached, or that the budgets could not be read. */
  readonly waitsFor: Exclude<BudgetAnswer, "place" | "unknown">;
  /** Error because of which the budgets could not be read. */
  readonly problem?: unknown;
}

/**
 * Asks whether a run may start within the budgets (spending limits) that it shares with other runs, and counts it as
 * active there. A run that must wait occupies no slot, lease or environment meanwhile. A run does not end because its
 * budgets cannot be read: another process may be able to read them. Never rejects.
 */
export async function claimBudget(
  { openSharedBudget }: ServerOptions["session"],
  owner: string | undefined,
  { stopped, cancelled }: RunSlot,
): Promise<BudgetClaim | BudgetWait> {
  if (openSharedBudget === undefined) return {};
  try {
    return { budget: await openSharedBudget({ owner, signal: AbortSignal.any([stopped, cancelled]) }) };
  } catch (error) {
    // A run that was stopped meanwhile must end, not wait.
    if (stopped.aborted || cancelled.aborted || EngineError.is(error, "budget.day_exceeded")) return { error };
    if (!EngineError.is(error, "budget.too_many_runs")) return { waitsFor: "unreadable", problem: error };
    return { waitsFor: error.details["account"] === "server" ? "server_full" : "owner_full" };
  }
}
