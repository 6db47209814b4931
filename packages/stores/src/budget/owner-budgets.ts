import type { BudgetView } from "@switchyard/contracts";
import type { BudgetPlace } from "./budget-seat.ts";
import type { BudgetLedger } from "./create-budget-ledger.ts";
import { budgetError, openRunBudget, type RunBudget } from "./open-run-budget.ts";
import type { Budgets } from "./parse-budgets.ts";
import { readBudgetView } from "./read-budget-view.ts";

/** Options for `createOwnerBudgets`. */
export interface OwnerBudgetsOptions {
  /** Limits of owners and of the server. */
  readonly budgets: Budgets;
  /** Ledger that contains the usage. */
  readonly ledger: BudgetLedger;
  /** Files with which tasks of the runs open the budgets. See `RunBudgetOptions`. */
  readonly place?: BudgetPlace | undefined;
}

/** Run of a server. */
export interface OwnedRun {
  /** Owner of the run. `undefined` if the run has none. */
  readonly owner: string | undefined;
  /** Signal that cancels the run. */
  readonly signal: AbortSignal | undefined;
}

/** Budgets of the runs that a server executes. An owner without a budget account is not limited. */
export interface OwnerBudgets {
  /** Rejects if the usage cannot be read, for example with `store.newer_format` if a newer release has stored it. */
  assertReadable(): Promise<void>;
  /**
   * Opens the budgets of a run. Resolves with `undefined` if its owner has none. Rejects with `budget.too_many_runs` or
   * `budget.day_exceeded` if a limit of the owner or of the server is reached.
   */
  open(run: OwnedRun): Promise<RunBudget | undefined>;
  /**
   * Rejects with `budget.day_exceeded` if the owner's budget of the day is used up. A reached limit of concurrent runs is
   * ignored, because runs of a server can wait.
   */
  check(owner: string): Promise<void>;
  /** Resolves with the budget of an owner, without that of the server. `undefined` if the owner has none. */
  read(owner: string): Promise<BudgetView | undefined>;
}

/** Creates the budgets of the runs that a server executes. */
export function createOwnerBudgets({ budgets, ledger, place }: OwnerBudgetsOptions): OwnerBudgets {
  return {
    assertReadable: async () => void (await ledger.report()),
    open: async ({ owner, signal }) => {
      const accounts = budgets.ofOwner(owner);
      return accounts.length === 0 ? undefined : await openRunBudget(ledger, accounts, { place, signal });
    },
    check: async (owner) => {
      const accounts = budgets.ofOwner(owner);
      const refusal = accounts.length === 0 ? undefined : await ledger.check(accounts);
      if (refusal?.kind === "used_up") throw budgetError(refusal);
    },
    read: async (owner) => {
      const account = budgets.ofOwner(owner).find(({ name }) => name !== "server");
      return account === undefined ? undefined : await readBudgetView(ledger, account);
    },
  };
}
