import { areRetriesExhausted, EngineError, markRetriesExhausted, type Usage } from "@switchyard/contracts";
import { isRecord } from "./error-info.ts";

const COUNTS = ["inputTokens", "outputTokens", "totalTokens"] as const;

function isUsage(value: unknown): value is Usage {
  return isRecord(value) && COUNTS.every((name) => typeof value[name] === "number");
}

/**
 * Returns the usage that a failed response had reported, from the details of its error. `undefined` if the response had
 * reported no usage.
 */
export function usageOfFailure({ details }: EngineError): Usage | undefined {
  const { usage } = details;
  return isUsage(usage) ? usage : undefined;
}

/** Returns a copy of the failure with this token usage in its details. */
export function withUsage(failure: EngineError, usage: Usage): EngineError {
  const isFinal = failure.row.retryable && !failure.retryable;
  const cause = "cause" in failure ? { cause: failure.cause } : {};
  const same = new EngineError(failure.code, { ...failure.details, usage }, { ...cause, isFinal });
  if (areRetriesExhausted(failure)) markRetriesExhausted(same);
  return same;
}
