/**
 * The thirteen classes of errors. The class determines how a host reacts; the error code identifies what happened. See
 * engine: errdefs.
 */
export type ErrorClass =
  | "not_found"
  | "validation"
  | "unauthorized"
  | "forbidden"
  | "conflict"
  | "rate_limit"
  | "timeout"
  | "interrupted"
  | "aborted"
  | "not_available"
  | "internal"
  | "budget_exceeded"
  | "policy_denied";

/** HTTP status of server responses, per class. See engine: errdefs. */
export const HTTP_STATUS_BY_CLASS: Readonly<Record<ErrorClass, number>> = {
  not_found: 404,
  validation: 400,
  unauthorized: 401,
  forbidden: 403,
  conflict: 409,
  rate_limit: 429,
  budget_exceeded: 429,
  policy_denied: 403,
  timeout: 504,
  not_available: 503,
  internal: 500,
  interrupted: 409,
  aborted: 409,
};
