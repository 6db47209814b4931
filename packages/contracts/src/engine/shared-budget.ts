import type { EngineError } from "../errors/engine-error.ts";
import type { Usage } from "../model/usage.ts";

/** Tokens and cost of model calls. */
export interface BudgetAmount {
  /** Number of input and output tokens. */
  readonly tokens: number;
  /** Cost, in millionths of a US dollar. */
  readonly costMicros: number;
}

/** Part of a shared budget that is reserved for one model call. */
export interface BudgetReservation {
  /**
   * Replaces the reserved amount with the usage of the call. If the number of tokens is 0 or invalid, the reserved
   * tokens count as used. If the cost is unknown, the reserved cost counts as used. `undefined` releases the reserved
   * amount. Only the first call of this method has an effect. Never throws.
   */
  settle(usage: Pick<Usage, "totalTokens" | "costMicros"> | undefined): void;
}

/**
 * Budget that a run shares with other runs, including runs of other processes: the daily budgets of the run's owner and
 * of the server. It is the type of the dependency `DEPENDENCY.sharedBudget`.
 */
export interface SharedModelBudget {
  /** True if the budget limits the cost, so that only models with a known price may be called. */
  readonly limitsCost: boolean;
  /**
   * Reserves an amount for one model call. If the calls in progress have reserved the rest of the budget, waits until
   * some of them are settled. Rejects with `budget.day_exceeded` if the budget is used up. If the signal aborts,
   * rejects with its reason.
   */
  reserve(amount: BudgetAmount, signal: AbortSignal): Promise<BudgetReservation>;
  /** Returns the error of the last refused reservation; `undefined` if none was refused. */
  refusal(): EngineError | undefined;
  /**
   * Text that names the active run. A process that executes a part of the run can count its usage with this text, without
   * counting as a further run. `undefined`: the usage belongs to no run.
   */
  readonly seat?: string | undefined;
}
