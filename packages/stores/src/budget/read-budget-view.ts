import { type BudgetView, isoTime } from "@switchyard/contracts";
import type { BudgetAccount } from "./budget-account.ts";
import type { BudgetLedger } from "./create-budget-ledger.ts";

const MICROS = 1_000_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Resolves with the usage and the limits of one account, as the API of a server shows them. */
export async function readBudgetView(ledger: BudgetLedger, { name, limits }: BudgetAccount): Promise<BudgetView> {
  const { day, accounts } = await ledger.report();
  const use = accounts.find((one) => one.name === name);
  const { tokensPerDay, costMicrosPerDay, concurrentRuns } = limits;
  return {
    ...{ tokens_used: use?.tokens ?? 0, tokens_reserved: use?.reservedTokens ?? 0 },
    ...(tokensPerDay === undefined ? {} : { tokens_per_day: tokensPerDay }),
    ...{ usd_used: (use?.costMicros ?? 0) / MICROS, usd_reserved: (use?.reservedCostMicros ?? 0) / MICROS },
    ...(costMicrosPerDay === undefined ? {} : { usd_per_day: costMicrosPerDay / MICROS }),
    active_runs: use?.runs ?? 0,
    ...(concurrentRuns === undefined ? {} : { concurrent_runs: concurrentRuns }),
    resets_at: isoTime(Date.parse(day) + DAY_MS),
  };
}
