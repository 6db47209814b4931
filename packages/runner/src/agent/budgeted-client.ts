import { type Client, DEPENDENCY, isSharedModelBudget, type Run } from "@switchyard/contracts";
import { getDependency } from "@switchyard/engine";
import type { SharedBudgetOptions } from "@switchyard/llm";

/** Prices and provider of the client, and the loaded package `@switchyard/llm`, which adds the budget to the client. */
interface BudgetedClientOptions extends SharedBudgetOptions {
  readonly llm: Pick<typeof import("@switchyard/llm"), "withSharedBudget">;
}

/** Returns a client that reserves each model call in the budget that the run shares with other runs, if there is one. */
export function budgetedClient(client: Client, { deps }: Run, { llm, ...options }: BudgetedClientOptions): Client {
  if (!deps.has(DEPENDENCY.sharedBudget)) return client;
  return llm.withSharedBudget(client, getDependency(deps, DEPENDENCY.sharedBudget, isSharedModelBudget), options);
}
