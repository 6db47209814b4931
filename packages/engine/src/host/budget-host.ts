import { addUsage, EngineError, type HostMiddleware, NO_USAGE, type Usage } from "@switchyard/contracts";
import { hostFuncs } from "./host-funcs.ts";

/** What a run may use; what is unset is unlimited. */
export interface Budget {
  /** Tokens of all model calls together. */
  readonly totalTokens?: number | undefined;
  /** Cost of all model calls together, in millionths of a US dollar. */
  readonly costMicros?: number | undefined;
  /** Number of model calls. */
  readonly modelCalls?: number | undefined;
  /** What earlier attempts of the run have used already. */
  readonly used?: { readonly usage: Usage; readonly modelCalls: number } | undefined;
}

/** Refuses a further model call when nothing is left of a budget. Throws `budget.exceeded`. */
export function assertBudgetLeft(
  budget: Omit<Budget, "used">,
  { usage, modelCalls }: { readonly usage: Usage; readonly modelCalls: number },
): void {
  const counted = [
    { name: "tokens", used: usage.totalTokens, limit: budget.totalTokens },
    { name: "cost in millionths of a US dollar", used: usage.costMicros ?? 0, limit: budget.costMicros },
    { name: "model calls", used: modelCalls, limit: budget.modelCalls },
  ];
  for (const { name, used, limit } of counted) {
    if (limit !== undefined && used >= limit) throw new EngineError("budget.exceeded", { budget: name, used, limit });
  }
}

/**
 * Ends a run whose budget is used up: the usage is passed on first, then the report fails with `budget.exceeded`,
 * and the engine makes no further call. engine: UsageReporter.
 */
export function budgetHost(budget: Budget): HostMiddleware {
  return (inner) => {
    let usage: Usage = budget.used?.usage ?? NO_USAGE;
    let modelCalls = budget.used?.modelCalls ?? 0;
    return hostFuncs(inner, {
      async reportUsage(delta) {
        usage = addUsage(usage, delta);
        modelCalls += 1;
        await inner.reportUsage(delta);
        assertBudgetLeft(budget, { usage, modelCalls });
      },
    });
  };
}
