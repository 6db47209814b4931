import { EngineError } from "@switchyard/contracts";
import type { SessionOptions } from "@switchyard/runner";
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
  /** Reason why the run must fail, such as `budget.day_exceeded`. */
  readonly error?: unknown;
}

/**
 * Asks whether a run may start within the budgets (spending limits) that it shares with other runs, and counts it as
 * active there. Resolves with `undefined` if the limit of concurrent runs is reached: the run must then wait without
 * occupying a slot, a lease or an environment. Never rejects.
 */
export async function claimBudget(
  { openSharedBudget }: ServerOptions["session"],
  owner: string | undefined,
  { stopped, cancelled }: RunSlot,
): Promise<BudgetClaim | undefined> {
  if (openSharedBudget === undefined) return {};
  try {
    return { budget: await openSharedBudget({ owner, signal: AbortSignal.any([stopped, cancelled]) }) };
  } catch (error) {
    // A run that was stopped meanwhile must end, not wait.
    return EngineError.is(error, "budget.too_many_runs") && !stopped.aborted ? undefined : { error };
  }
}
