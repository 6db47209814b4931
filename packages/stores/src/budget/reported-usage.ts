import type { BudgetAmount } from "@switchyard/contracts";
import type { ActiveRun, BudgetLedger } from "./create-budget-ledger.ts";

/** No tokens and no cost. */
export const NOTHING: BudgetAmount = { tokens: 0, costMicros: 0 };
/** Differences below this value, in tokens or millionths of a dollar, count as 0. Sums of fractions are not exact. */
const SMALLEST = 0.001;

/** Run whose engine reports usage. */
export interface ReportingRun {
  /** Id of the run in the ledger. */
  readonly id: string;
  /** The run before this process began to work for it. `undefined`: this process executes the run itself. */
  readonly caller: ActiveRun | undefined;
}

/** Usage that the engine of a run reports, compared with the usage that was counted already. */
export interface ReportedUsage {
  /** Notes a settled call of this process: its known usage, and the amount that was counted. */
  noteCall(known: BudgetAmount, counted: BudgetAmount): void;
  /**
   * Resolves with the part of reported usage that was not counted yet. The caller must count it. Rejects with the errors
   * of the store.
   */
  uncounted(reported: BudgetAmount): Promise<BudgetAmount>;
}

/**
 * Compares reported usage with the calls of this process, and with the usage that other processes have counted for the
 * run according to the ledger. An engine may report the usage of several calls together, so only sums can be compared.
 */
export function createReportedUsage(ledger: BudgetLedger, { id, caller }: ReportingRun): ReportedUsage {
  /** Counted usage that the engine has not reported yet. */
  let unreported = NOTHING;
  /** Part of the usage in the ledger that was not counted by other processes, or is in `unreported` already. */
  let known = caller?.counted ?? NOTHING;

  /** Removes counted usage from reported usage. */
  function match(reported: BudgetAmount): BudgetAmount {
    const direct = difference(reported, unreported);
    unreported = difference(unreported, reported);
    return direct;
  }
  // The ledger contains the calls of this process only if another process executes the run.
  function exclude(counted: BudgetAmount): void {
    if (caller !== undefined) known = sum(known, counted);
  }
  return {
    noteCall: (used, counted) => {
      unreported = sum(unreported, used);
      exclude(counted);
    },
    uncounted: async (reported) => {
      const rest = match(reported);
      if (isNothing(rest)) return NOTHING;
      const { counted = NOTHING } = (await ledger.activeRun(id)) ?? {};
      const elsewhere = difference(counted, known);
      known = sum(known, elsewhere);
      unreported = sum(unreported, elsewhere);
      const direct = match(rest);
      exclude(direct);
      return direct;
    },
  };
}

/** Returns whether an amount is zero. */
export function isNothing({ tokens, costMicros }: BudgetAmount): boolean {
  return tokens === 0 && costMicros === 0;
}

function sum(first: BudgetAmount, second: BudgetAmount): BudgetAmount {
  return { tokens: first.tokens + second.tokens, costMicros: first.costMicros + second.costMicros };
}

/** Returns the difference of two amounts. A negative difference counts as 0. */
function difference(amount: BudgetAmount, part: BudgetAmount): BudgetAmount {
  const rest = (from: number, taken: number): number => (from - taken < SMALLEST ? 0 : from - taken);
  return { tokens: rest(amount.tokens, part.tokens), costMicros: rest(amount.costMicros, part.costMicros) };
}
