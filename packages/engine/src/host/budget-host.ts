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

const LIMITS = ["totalTokens", "costMicros", "modelCalls"];

/**
 * Refuses a budget that would not limit what it is meant to: a limit that is mistyped must not be no limit. Throws
 * `config.invalid`.
 */
export function assertBudget(budget: Budget): void {
  const given: unknown = budget;
  if (typeof given !== "object" || given === null) {
    throw new EngineError("config.invalid", { field: "budget", problem: "it is no object with limits" });
  }
  for (const [name, limit] of Object.entries(given)) {
    if (limit === undefined || name === "used") continue;
    const field = `budget.${name}`;
    if (!LIMITS.includes(name)) throw new EngineError("config.invalid", { field, problem: "there is no such limit" });
    if (typeof limit === "number" && limit >= 0) continue;
    throw new EngineError("config.invalid", { field, problem: "it must be a number, 0 or more" });
  }
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
 * and the engine makes no further call. Throws `config.invalid` as `assertBudget` does. engine: UsageReporter.
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
