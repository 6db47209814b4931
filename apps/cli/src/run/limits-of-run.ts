import type { RunRequest } from "@switchyard/contracts";
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

/** The same of a run that goes on: what is said takes the place of that limit, and the others of its budget hold. */
export function limitsOfResume(options: LimitOptions, { settings }: RunRequest): ReturnType<typeof limitsOfRun> {
  const { budget, ...others } = limitsOfRun(options);
  if (budget === undefined) return others;
  const kept = settings?.["budget"];
  return { ...others, budget: { ...(typeof kept === "object" ? kept : {}), ...budget } };
}
