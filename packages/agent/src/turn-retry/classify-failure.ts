import { certificateProblem, EngineError, type ErrorCode } from "@switchyard/contracts";

/**
 * Retry class of a failed model call. `transient`: retried within the maximum total wait. `doubtful`: retried a few
 * times. `permanent`: not retried.
 */
export type FailureClass = "transient" | "doubtful" | "permanent";

/**
 * Failures that may be caused by a wrong address or request format. Once the server has responded to the session, they
 * count as transient.
 */
const DOUBTFUL: ReadonlySet<ErrorCode> = new Set(["llm.invalid_response", "llm.invalid_tool_call", "llm.unknown"]);

/** Failures that are always transient. */
const TRANSIENT: ReadonlySet<ErrorCode> = new Set([
  "llm.rate_limited",
  "llm.server_error",
  "llm.request_timeout",
  "llm.stream_stalled",
  "llm.stream_broken",
]);

/** Error codes of connections that were never established, possibly because of a wrong address. */
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

/** Returns true for HTTP status 408, the only client error that is transient. */
function isPassingRejection({ code, details }: EngineError): boolean {
  return code === "llm.invalid_request" && details["status"] === 408;
}

/**
 * Classifies a failed model call. `isKnown` is true if the server has responded to this session before. The server's
 * address and the request format are then known to be correct.
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
