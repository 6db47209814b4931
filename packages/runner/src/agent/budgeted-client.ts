import { type Client, DEPENDENCY, isSharedModelBudget, type Run } from "@switchyard/contracts";
import { getDependency } from "@switchyard/engine";
import type { SharedBudgetOptions } from "@switchyard/llm";

/** Options for `budgetedClient`: those of `withSharedBudget`, and the loaded package that contains this function. */
interface BudgetedClientOptions extends SharedBudgetOptions {
  readonly llm: Pick<typeof import("@switchyard/llm"), "withSharedBudget">;
}

/** Returns a client that reserves each model call in the budget that the run shares with other runs, if there is one. */
export function budgetedClient(client: Client, { deps }: Run, { llm, ...options }: BudgetedClientOptions): Client {
  if (!deps.has(DEPENDENCY.sharedBudget)) return client;
  return llm.withSharedBudget(client, getDependency(deps, DEPENDENCY.sharedBudget, isSharedModelBudget), options);
}
