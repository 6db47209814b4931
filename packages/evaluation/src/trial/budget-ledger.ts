import type { Budget } from "@switchyard/engine";
import type { Timer } from "@switchyard/runner";
import type { TrialUsage } from "../results/trial-result.ts";
import { hasTokens, tokensOf } from "../results/usage.ts";
import type { EvalBudget } from "../suite/eval-suite.ts";

const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1_000;
const MICROS = 1_000_000;

/** Tracks the usage of an evaluation against its budget. */
export interface BudgetLedger {
  /** Adds the usage of a session or a judge. */
  spend(usage: TrialUsage): void;
  /** Returns the reason why no more trials may start. `undefined` while budget remains. */
  exhausted(): string | undefined;
  /**
   * Returns the budget of the next session: the remaining cost and tokens of the evaluation. `undefined` if neither is
   * limited.
   */
  forSession(): Omit<Budget, "used"> | undefined;
  /** Returns the remaining time in seconds, at least 1. `undefined` if time is unlimited. */
  remainingSeconds(): number | undefined;
  /** True if the budget limits cost or tokens and the usage of at least one session is unknown. */
  readonly hasUnknown: boolean;
}

/** Creates the budget ledger of an evaluation. The time limit of the budget starts with this call. */
export function createBudgetLedger(
  { costUsd, totalTokens, minutes }: EvalBudget,
  timer: Pick<Timer, "monotonic">,
): BudgetLedger {
  const startedMs = timer.monotonic();
  let [tokens, cost, hasUnknown] = [0, 0, false];
  const minutesUsed = (): number => (timer.monotonic() - startedMs) / MS_PER_MINUTE;
  return {
    spend: (usage) => {
      tokens += tokensOf(usage);
      cost += usage.cost_usd ?? 0;
      const isCostUnknown = usage.cost_usd === undefined || usage.is_cost_partial === true;
      if (costUsd !== undefined && isCostUnknown) hasUnknown = true;
      if (totalTokens !== undefined && !hasTokens(usage)) hasUnknown = true;
    },
    exhausted: () => {
      if (costUsd !== undefined && cost >= costUsd) return `The budget is used up: $${cost.toFixed(4)} of $${costUsd}.`;
      if (totalTokens !== undefined && tokens >= totalTokens)
        return `The budget is used up: ${tokens} of ${totalTokens} tokens.`;
      if (minutes !== undefined && minutesUsed() >= minutes) return `The ${minutes} min of the budget are over.`;
      return undefined;
    },
    forSession: () => {
      if (costUsd === undefined && totalTokens === undefined) return undefined;
      return {
        ...(costUsd === undefined ? {} : { costMicros: Math.max(1, Math.round((costUsd - cost) * MICROS)) }),
        ...(totalTokens === undefined ? {} : { totalTokens: Math.max(1, totalTokens - tokens) }),
      };
    },
    remainingSeconds: () => {
      if (minutes === undefined) return undefined;
      const remainingMs = minutes * MS_PER_MINUTE - (timer.monotonic() - startedMs);
      return Math.max(1, Math.ceil(remainingMs / MS_PER_SECOND));
    },
    get hasUnknown() {
      return hasUnknown;
    },
  };
}
