import type { AskModel } from "@switchyard/evaluation";
import { budgetError } from "@switchyard/stores/budget";
import type { UserBudget } from "../budget/open-budgets.ts";

const MICROS = 1_000_000;

/**
 * Wraps a model that judges or plays the user, and counts its calls in the budgets of the user. Calls reject with
 * `budget.day_exceeded` if a budget is used up.
 */
export function countModelCalls(ask: AskModel, budget: UserBudget | undefined): AskModel {
  if (budget === undefined) return ask;
  const { ledger, accounts } = budget;
  return async (prompt, signal) => {
    const refusal = await ledger.check(accounts);
    // The limit of concurrent runs does not concern single calls.
    if (refusal?.kind === "used_up") throw budgetError(refusal);
    const answer = await ask(prompt, signal);
    const { input_tokens: input = 0, output_tokens: output = 0, cost_usd: usd = 0 } = answer.usage;
    await ledger.spend(accounts, { tokens: input + output, costMicros: Math.round(usd * MICROS) });
    return answer;
  };
}
