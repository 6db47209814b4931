import type { RunRequest } from "@switchyard/contracts";
import type { RetryOptions, StartSessionOptions } from "@switchyard/runner";

/** Limits of a whole run: of all its model calls together, and of its attempts (executions of the run). */
export interface RunLimits extends Partial<Pick<RetryOptions, "maxAttempts" | "maxDelayMs">> {
  /** Maximum number of tokens. */
  readonly totalTokens?: number | undefined;
  /** Maximum cost, in millionths of a US dollar. */
  readonly costMicros?: number | undefined;
}

/**
 * Returns the budget and the retry options of a run. `configured` contains the retry options of the engine
 * configuration, which the limits override.
 */
export function limitsOfRun(
  limits: RunLimits,
  configured?: RetryOptions,
): Pick<StartSessionOptions, "budget" | "retry"> {
  const { totalTokens, costMicros, maxAttempts = configured?.maxAttempts, maxDelayMs } = limits;
  const budget = {
    ...(totalTokens === undefined ? {} : { totalTokens }),
    ...(costMicros === undefined ? {} : { costMicros }),
  };
  const delay = maxDelayMs === undefined ? {} : { maxDelayMs };
  return {
    ...(Object.keys(budget).length === 0 ? {} : { budget }),
    ...(maxAttempts === undefined ? {} : { retry: { maxAttempts, ...delay } }),
  };
}

/**
 * Returns the limits of a resumed run. A limit that is given now replaces the stored limit. Other stored limits
 * still apply.
 */
export function limitsOfResume(
  limits: RunLimits,
  { settings }: RunRequest,
): Pick<StartSessionOptions, "budget" | "retry"> {
  const { budget, ...others } = limitsOfRun(limits);
  if (budget === undefined) return others;
  const stored = settings?.["budget"];
  return { ...others, budget: { ...(typeof stored === "object" ? stored : {}), ...budget } };
}
