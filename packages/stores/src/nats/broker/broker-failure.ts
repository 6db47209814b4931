import { EngineError, messageOf } from "@switchyard/contracts";

/** The broker's number for a write that came too late: somebody else wrote to the subject. */
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_FULL = 10_077;
const MESSAGE_NOT_FOUND = 10_037;
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
const CONFIGURATION_DIFFERS = 10_058;
/** What a server says while it has no leader, or has only just begun. */
const UNAVAILABLE = 503;
/** Failures of the client that a later try may not meet. */
const PASSING = new Set([
  "TimeoutError",
  "RequestError",
  "NoRespondersError",
  "ConnectionError",
  "JetStreamNotEnabled",
  "JetStreamStatusError",
]);

/** Failures that stay, whatever is done. */
const REFUSALS = new Set([
  "JetStreamApiError",
  "InvalidArgumentError",
  "PermissionViolationError",
  "InvalidSubjectError",
]);

function numberOf(error: unknown): number | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
}

/** Whether a write was refused because the subject has changed since it was looked at. */
export function isOvertaken(error: unknown): boolean {
  return numberOf(error) === WRONG_LAST_SEQUENCE;
}

/** Whether a stream takes nothing more at the moment. */
export function isFull(error: unknown): boolean {
  return numberOf(error) === STREAM_FULL;
}

/** Whether there is no such message or stream. */
export function isMissing(error: unknown): boolean {
  return [MESSAGE_NOT_FOUND, STREAM_NOT_FOUND, CONSUMER_NOT_FOUND].includes(numberOf(error) ?? 0);
}

/** Whether a stream of that name exists with other settings. */
function isOtherwise(error: unknown): boolean {
  return numberOf(error) === CONFIGURATION_DIFFERS;
}

/** Whether the same call may succeed once the broker is back. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return PASSING.has(error.name) || ("status" in error && error.status === UNAVAILABLE);
}

/** Whether an answer has a meaning for whoever asked. */
function isAnswer(error: unknown): boolean {
  return isOvertaken(error) || isFull(error) || isMissing(error) || isOtherwise(error);
}

/** What a call ends with when there is no answer: the broker is away, or it refuses; an answer stays as it is. */
export function toBrokerFailure(error: unknown, address: string): unknown {
  if (EngineError.is(error) || isAnswer(error)) return error;
  const isRefused = error instanceof Error && REFUSALS.has(error.name);
  const code = isRefused ? "broker.refused" : "broker.unreachable";
  return new EngineError(code, { address, problem: messageOf(error) }, { cause: error });
}

/** What could not be kept, as the error a caller meets: `run.store_failed` naming the place. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error, "run.store_failed")) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}
