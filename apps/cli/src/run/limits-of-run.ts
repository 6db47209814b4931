import type { RetryOptions, StartSessionOptions } from "@switchyard/runner";
import type { RunOptions } from "./run-options.ts";

/** What a command says about budget and tries. */
export type LimitOptions = Pick<RunOptions, "maxTokens" | "maxCost" | "maxAttempts" | "maxRetryWait">;

/** The budget and the tries of a run, where something is said about them; `configured` is what its engine's file says. */
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
