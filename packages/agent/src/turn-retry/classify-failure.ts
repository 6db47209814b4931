import { certificateProblem, EngineError, type ErrorCode } from "@switchyard/contracts";

/** How a failed model call is retried: within the total wait, a few times only, or never. */
export type FailureClass = "transient" | "doubtful" | "permanent";

/** Failures that say nothing about whether the address and the request are right, until the server has answered once. */
const DOUBTFUL: ReadonlySet<ErrorCode> = new Set(["llm.invalid_response", "llm.invalid_tool_call", "llm.unknown"]);

/** Failures of a model call that pass by themselves. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  "llm.rate_limited",
  "llm.server_error",
  "llm.request_timeout",
  "llm.stream_stalled",
  "llm.stream_broken",
]);

/** System codes of connections that were never made: the address may be wrong. */
const UNREACHED: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
]);

function isUnreached(error: EngineError): boolean {
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  for (const value of queue) {
    if (!(value instanceof Error) || seen.has(value)) continue;
    seen.add(value);
    if ("code" in value && UNREACHED.has(value.code)) return true;
    if (value instanceof AggregateError) queue.push(...value.errors);
    queue.push(value.cause);
  }
  return false;
}

/** A rejection that is retried although the request is refused as it is: 408. */
function isPassingRejection({ code, details }: EngineError): boolean {
  return code === "llm.invalid_request" && details["status"] === 408;
}

/**
 * Whether a failed model call may succeed later. `isKnown` says that the server has answered this session before, so that
 * its address and the request's form are right.
 */
export function classifyFailure(error: unknown, isKnown: boolean): FailureClass {
  if (!EngineError.is(error)) return "permanent";
  if (isPassingRejection(error)) return "transient";
  if (!error.retryable || certificateProblem(error) !== undefined) return "permanent";
  if (TRANSIENT.has(error.code)) return "transient";
  if (error.code === "llm.network") return !isKnown && isUnreached(error) ? "doubtful" : "transient";
  if (!DOUBTFUL.has(error.code)) return "permanent";
  return isKnown ? "transient" : "doubtful";
}
