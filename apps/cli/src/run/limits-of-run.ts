import type { RunRequest } from "@switchyard/contracts";
import type { RetryOptions, StartSessionOptions } from "@switchyard/runner";
import type { LimitOptions } from "./limit-options.ts";

/**
 * Returns the budget and the retry options of a run. `configured` contains the retry options of the engine
 * configuration, which command-line options override.
 */
export function limitsOfRun(
  options: LimitOptions,
  configured?: RetryOptions,
): Pick<StartSessionOptions, "budget" | "retry"> {
  const { maxTokens, maxCost, maxAttempts = configured?.maxAttempts, maxRetryWait } = options;
  const budget = {
    ...(maxTokens === undefined ? {} : { totalTokens: maxTokens }),
    ...(maxCost === undefined ? {} : { costMicros: maxCost }),
  };
  const maxDelayMs = maxRetryWait === undefined ? undefined : maxRetryWait * 1_000;
  return {
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(maxAttempts === undefined
      ? {}
      : { retry: { maxAttempts, ...(maxDelayMs === undefined ? {} : { maxDelayMs }) } }),
  };
}

/**
 * Returns the limits of a resumed run. A limit given on the command line replaces the stored limit. Other stored limits
 * still apply.
 */
export function limitsOfResume(options: LimitOptions, { settings }: RunRequest): ReturnType<typeof limitsOfRun> {
  const { budget, ...others } = limitsOfRun(options);
  if (budget === undefined) return others;
  const stored = settings?.["budget"];
  return { ...others, budget: { ...(typeof stored === "object" ? stored : {}), ...budget } };
}
