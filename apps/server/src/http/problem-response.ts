import { STATUS_CODES } from "node:http";
import { type EngineError, errorRow, isErrorCode, type WireError } from "@switchyard/contracts";
import type { Masker } from "@switchyard/secrets";

/** Seconds after which it is worth to ask again. */
const RETRY_AFTER_SECONDS = 5;

/** How an error is told of. */
export interface ProblemOptions {
  /** Takes secrets out. */
  readonly masker?: Masker | undefined;
  /** Whether the caller named the run that the error is about: its state is theirs to know then. */
  readonly isCallers?: boolean | undefined;
}

/** An answer that tells of an error, as RFC 9457 has it. */
export interface ProblemResponse {
  /** HTTP status. */
  readonly status: number;
  /** Its headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** The answer to a call that came to nothing: the row of its code, one sentence, what to do; no stack, no cause. */
export function problemResponse(
  error: EngineError | WireError,
  { masker, isCallers = false }: ProblemOptions = {},
): ProblemResponse {
  const { code, message, retryable } = error;
  const status = isCallers && isErrorCode(code) && isOfRun(code) ? errorRow(code).httpStatus : statusOf(error);
  const { limit, retryAfterSeconds = RETRY_AFTER_SECONDS } = limitsOf(error);
  const title = STATUS_CODES[status] ?? "Error";
  // What nobody foresaw may quote anything, and what is wrong with the disk is not for callers.
  const isInside = code === "internal.unexpected" || (isCallers && status === 500);
  const said = isInside ? "Something unexpected went wrong." : message;
  const remedy = isInside
    ? "Send it again later; whoever runs the server finds more in its diagnostics."
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
      ...{ type: "about:blank", title, status, detail: masker?.mask(said) ?? said, code, remedy, retryable },
      ...(isLater ? { retry_after: retryAfterSeconds } : {}),
      ...(limit === undefined ? {} : { limit }),
    }),
  };
}

/**
 * The status of the table for what the caller did. Else it is the server's side that failed, whatever the table
 * blames: its key, its configuration, a path.
 */
function statusOf({ code, class: errorClass }: EngineError | WireError): number {
  const status = isErrorCode(code) ? errorRow(code).httpStatus : 500;
  if (/^(?:server|input)\./u.test(code) || status === 429 || status >= 500) return status;
  return errorClass === "interrupted" || errorClass === "aborted" ? 503 : 500;
}

function isOfRun(code: string): boolean {
  return /^(?:run|prompt|checkpoint)\./u.test(code);
}

/** What a limit says of itself. */
function limitsOf(error: EngineError | WireError): { limit?: number; retryAfterSeconds?: number } {
  if (!("details" in error)) return {};
  const { limit, retryAfterSeconds } = error.details;
  return {
    ...(typeof limit === "number" && error.class === "rate_limit" ? { limit } : {}),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}
