import { addUsage, EngineError, type HostMiddleware, NO_USAGE, type Usage } from "@switchyard/contracts";
import { hostFuncs } from "./host-funcs.ts";

/** Limits of a run; `undefined` means no limit. */
export interface Budget {
  /** Maximum number of tokens of all model calls. */
  readonly totalTokens?: number | undefined;
  /** Maximum cost of all model calls, in millionths of a US dollar. */
  readonly costMicros?: number | undefined;
  /** Maximum number of model calls. */
  readonly modelCalls?: number | undefined;
  /** Usage of earlier attempts (executions) of the run. */
  readonly used?: { readonly usage: Usage; readonly modelCalls: number } | undefined;
}

const LIMITS = ["totalTokens", "costMicros", "modelCalls"];

/** Throws `config.invalid` if a budget has an invalid limit, so that a mistyped limit is not ignored. */
export function assertBudget(budget: Budget): void {
  const given: unknown = budget;
  if (typeof given !== "object" || given === null) {
    throw new EngineError("config.invalid", { field: "budget", problem: "it is not an object with limits" });
  }
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined || name === "used") continue;
    const field = `budget.${name}`;
    if (!LIMITS.includes(name)) throw new EngineError("config.invalid", { field, problem: "the limit is unknown" });
    if (typeof limit === "number" && limit >= 0) continue;
    throw new EngineError("config.invalid", { field, problem: "it must be a number, 0 or more" });
  }
}

/** Throws `budget.exceeded` if a budget allows no further model call. */
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
 * Returns a middleware (wrapper of a host) that ends a run when its budget is used up. Usage is reported to the inner
 * host first. Then the report rejects with `budget.exceeded`, and the engine makes no further call. Throws
 * `config.invalid` like `assertBudget`. See engine: UsageReporter.
 */
export function budgetHost(budget: Budget): HostMiddleware {
  assertBudget(budget);
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
