import { STATUS_CODES } from "node:http";
import { type EngineError, errorRow, isErrorCode, type WireError } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";

/** Value of Retry-After, in seconds. */
const RETRY_AFTER_SECONDS = 5;

/** Options for an error response. */
export interface ProblemOptions {
  /** Masks secrets. */
  readonly masker?: Masker | undefined;
  /** True if the error concerns a run that the caller may access. The caller may then learn the state of the run. */
  readonly isCallers?: boolean | undefined;
}

/** An error response in the format of RFC 9457. */
export interface ProblemResponse {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/**
 * Returns the response for a failed request: error code, one sentence and a remedy. It contains no stack trace and no
 * cause.
 */
export function problemResponse(
  error: EngineError | WireError,
  { masker, isCallers = false }: ProblemOptions = {},
): ProblemResponse {
  const { code, message, retryable } = error;
  const status = isCallers && isErrorCode(code) && isOfRun(code) ? errorRow(code).httpStatus : statusOf(error);
  const { limit, retryAfterSeconds = RETRY_AFTER_SECONDS } = limitsOf(error);
  const title = STATUS_CODES[status] ?? "Error";
  // Messages of unexpected errors may contain secrets, and messages about the server's disk do not help a caller.
  // Such messages are not sent.
  const isInside = code === "internal.unexpected" || (isCallers && status === 500);
  const detail = isInside ? "An unexpected error occurred." : message;
  const remedy = isInside
    ? "Repeat the request later. The operator of the server finds details in its log."
    : error.remedy;
  const isLater = retryable && (status === 429 || status === 503);
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(isLater ? { "retry-after": String(retryAfterSeconds) } : {}),
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    },
    body: JSON.stringify({
      ...{ type: "about:blank", title, status, detail: masker?.mask(detail) ?? detail, code, remedy, retryable },
      ...(isLater ? { retry_after: retryAfterSeconds } : {}),
      ...(limit === undefined ? {} : { limit }),
    }),
  };
}

/**
 * Returns the HTTP status of an error. If the caller caused the error, the error table contains the status. All other
 * errors are server failures (5xx), whatever the table contains: for example a missing key, an invalid configuration or
 * a bad path on the server.
 */
function statusOf({ code, class: errorClass }: EngineError | WireError): number {
  const status = isErrorCode(code) ? errorRow(code).httpStatus : 500;
  if (/^(?:server|input)\./u.test(code) || status === 429 || status >= 500) return status;
  return errorClass === "interrupted" || errorClass === "aborted" ? 503 : 500;
}

function isOfRun(code: string): boolean {
  return /^(?:run|prompt|checkpoint)\./u.test(code);
}

/** Returns the response fields that describe an exceeded limit. */
function limitsOf(error: EngineError | WireError): { limit?: number; retryAfterSeconds?: number } {
  if (!("details" in error)) return {};
  const { limit, retryAfterSeconds } = error.details;
  return {
    ...(typeof limit === "number" && error.class === "rate_limit" ? { limit } : {}),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}
