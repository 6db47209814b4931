import { EngineError, messageOf } from "@switchyard/contracts";

/** Error code with which the broker rejects a write because another client has written to the subject first. */
const WRONG_LAST_SEQUENCE = 10_071;
const STREAM_FULL = 10_077;
const MESSAGE_NOT_FOUND = 10_037;
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
const CONFIGURATION_DIFFERS = 10_058;
/** Status code of a response while the broker has no leader or is starting. */
const UNAVAILABLE = 503;
/** Names of errors of the NATS client after which a retry may succeed. */
const TRANSIENT = new Set([
  "TimeoutError",
  "RequestError",
  "NoRespondersError",
  "ConnectionError",
  "JetStreamNotEnabled",
  "JetStreamStatusError",
]);

/** Names of errors of the NATS client after which a retry cannot succeed. */
const PERMANENT = new Set([
  "JetStreamApiError",
  "InvalidArgumentError",
  "PermissionViolationError",
  "InvalidSubjectError",
]);

function numberOf(error: unknown): number | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : undefined;
}

/** Returns true if the broker rejected a write because another client has written to the subject. */
export function isWriteConflict(error: unknown): boolean {
  return numberOf(error) === WRONG_LAST_SEQUENCE;
}

/** Returns true if a stream is full. */
export function isFull(error: unknown): boolean {
  return numberOf(error) === STREAM_FULL;
}

/** Returns true if a message or stream does not exist. */
export function isMissing(error: unknown): boolean {
  return [MESSAGE_NOT_FOUND, STREAM_NOT_FOUND, CONSUMER_NOT_FOUND].includes(numberOf(error) ?? 0);
}

/** Returns true if a stream could not be created because one with the same name but other settings exists. */
function hasOtherSettings(error: unknown): boolean {
  return numberOf(error) === CONFIGURATION_DIFFERS;
}

/** Returns true if the same call may succeed later, when the broker is available again. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TRANSIENT.has(error.name) || ("status" in error && error.status === UNAVAILABLE);
}

/** Returns true for an error response of the broker that callers handle, such as a full stream. */
function isExpectedResponse(error: unknown): boolean {
  return isWriteConflict(error) || isFull(error) || isMissing(error) || hasOtherSettings(error);
}

/**
 * Converts the error of a call to the broker: the broker is unreachable or has rejected the call. Errors that callers
 * handle, such as a full stream, are returned unchanged.
 */
export function toBrokerFailure(error: unknown, address: string): unknown {
  if (EngineError.is(error) || isExpectedResponse(error)) return error;
  const isRefused = error instanceof Error && PERMANENT.has(error.name);
  const code = isRefused ? "broker.refused" : "broker.unreachable";
  return new EngineError(code, { address, problem: messageOf(error) }, { cause: error });
}

/** Returns the error of a failed write: `run.store_failed` with the path. */
export function toStoreFailure(error: unknown, path: string): EngineError {
  if (EngineError.is(error, "run.store_failed")) return error;
  return new EngineError("run.store_failed", { path, problem: messageOf(error) }, { cause: error });
}
