import type { RetryOptions, StartSessionOptions } from "@switchyard/runner";
import type { RunOptions } from "./run-options.ts";

/** What a command says about budget and tries. */
export type LimitOptions = Pick<RunOptions, "maxTokens" | "maxAttempts" | "maxRetryWait">;

/** The budget and the tries of a run, where something is said about them; `configured` is what its engine's file says. */
export function limitsOfRun(
  options: LimitOptions,
  configured?: RetryOptions,
): Pick<StartSessionOptions, "budget" | "retry"> {
  const { maxTokens, maxAttempts = configured?.maxAttempts, maxRetryWait } = options;
  const maxDelayMs = maxRetryWait === undefined ? undefined : maxRetryWait * 1_000;
  return {
    ...(maxTokens === undefined ? {} : { budget: { totalTokens: maxTokens } }),
    ...(maxAttempts === undefined
      ? {}
      : { retry: { maxAttempts, ...(maxDelayMs === undefined ? {} : { maxDelayMs }) } }),
  };
}
