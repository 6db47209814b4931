import type { BudgetView } from "@switchyard/contracts";
import { formatCost, formatCount } from "../text/format.ts";

const MICROS = 1_000_000;

/** Returns the parts of a text about a budget. Amounts without a limit are shown without one. */
export function budgetParts(budget: BudgetView): readonly string[] {
  const { usd_per_day: usd, tokens_per_day: tokens, concurrent_runs: runs } = budget;
  const dollars = (amount: number): string => formatCost(amount * MICROS);
  const of = (used: string, limit: string | undefined): string => (limit === undefined ? used : `${used} of ${limit}`);
  const reserved = (amount: number, text: string): string => (amount > 0 ? ` (${text} reserved)` : "");
  return [
    of(dollars(budget.usd_used), usd === undefined ? undefined : dollars(usd)) +
      reserved(budget.usd_reserved, dollars(budget.usd_reserved)),
    `${of(formatCount(budget.tokens_used), tokens === undefined ? undefined : formatCount(tokens))} tokens` +
      reserved(budget.tokens_reserved, formatCount(budget.tokens_reserved)),
    `${of(formatCount(budget.active_runs), runs === undefined ? undefined : formatCount(runs))} active runs`,
    `a new day begins at ${budget.resets_at.slice(0, 16).replace("T", " ")} UTC`,
  ];
}
