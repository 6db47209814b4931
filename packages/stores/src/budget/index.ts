// Public API for hosts: budgets that several processes share.

export type {
  BudgetAccount,
  BudgetAccountUse,
  BudgetLimits,
  BudgetOutcome,
  BudgetRefusal,
  BudgetRequest,
} from "./budget-account.ts";
export type { BudgetPlace, BudgetSeat } from "./budget-seat.ts";
export { parseSeat } from "./budget-seat.ts";
export type { ActiveRun, BudgetLedger, BudgetLedgerOptions, BudgetReport } from "./create-budget-ledger.ts";
export { createBudgetLedger } from "./create-budget-ledger.ts";
export type { CallBudget, CallBudgetOptions, RunBudget, RunBudgetOptions } from "./open-run-budget.ts";
export { budgetError, openCallBudget, openRunBudget } from "./open-run-budget.ts";
export type { OwnedRun, OwnerBudgets, OwnerBudgetsOptions } from "./owner-budgets.ts";
export { createOwnerBudgets } from "./owner-budgets.ts";
export type { Budgets } from "./parse-budgets.ts";
export { parseBudgets } from "./parse-budgets.ts";
export { readBudgetView } from "./read-budget-view.ts";
export type { BudgetMachine } from "./this-machine.ts";

// Exports for tests: clock and timers.

export type { SleepOptions, StoreTimer } from "../owner/store-timer.ts";
