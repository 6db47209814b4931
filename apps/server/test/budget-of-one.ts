import { createBudgetLedger, openRunBudget, type RunBudget } from "@switchyard/stores/budget";
import { createMemoryStore } from "@switchyard/stores/memory";

/** Budgets of one concurrent run for each owner. */
export interface BudgetOfOne {
  /** Session option for the runs of a server or worker. */
  readonly open: (run: { readonly owner: string | undefined }) => Promise<RunBudget>;
  /** Occupies the place of an owner, as a run of another process would. */
  readonly elsewhere: (owner: string) => Promise<RunBudget>;
  /** Owners of the runs that asked for a place with `open`, in order. */
  readonly asked: readonly (string | undefined)[];
}

/**
 * Creates budgets of one concurrent run for each account, in a store that several processes share. Default: each owner has
 * an account.
 */
export function budgetOfOne(accountOf = (owner = ""): string => `owner:${owner}`): BudgetOfOne {
  const { documents } = createMemoryStore();
  if (documents === undefined) throw new Error("The store has no documents.");
  const openAs = (owner: string | undefined): Promise<RunBudget> =>
    openRunBudget(createBudgetLedger(documents), [{ name: accountOf(owner), limits: { concurrentRuns: 1 } }]);
  const asked: (string | undefined)[] = [];
  const open: BudgetOfOne["open"] = ({ owner }) => {
    asked.push(owner);
    return openAs(owner);
  };
  return { open, elsewhere: openAs, asked };
}
