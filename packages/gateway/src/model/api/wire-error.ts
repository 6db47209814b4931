import { type EngineError, errorText, type ModelApi } from "@switchyard/contracts";

/** Names of a failure in the APIs of Anthropic, OpenAI and Google. */
type Kinds = readonly [anthropic: string, openai: string, google: string];

const KINDS: Readonly<Record<number, Kinds>> = {
  400: ["invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"],
  401: ["authentication_error", "invalid_api_key", "UNAUTHENTICATED"],
  402: ["billing_error", "insufficient_quota", "FAILED_PRECONDITION"],
  403: ["permission_error", "permission_denied", "PERMISSION_DENIED"],
  404: ["not_found_error", "not_found", "NOT_FOUND"],
  413: ["request_too_large", "invalid_request_error", "INVALID_ARGUMENT"],
  429: ["rate_limit_error", "rate_limit_exceeded", "RESOURCE_EXHAUSTED"],
  503: ["api_error", "server_error", "UNAVAILABLE"],
  504: ["timeout_error", "server_error", "DEADLINE_EXCEEDED"],
};
const OTHER: Kinds = ["api_error", "server_error", "INTERNAL"];

/** A response that reports a failure of the gateway. */
export interface WireError {
  /** HTTP status. */
  readonly status: number;
  /** HTTP headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body, as JSON text. */
  readonly body: string;
}

/**
 * Returns the HTTP status of a failure. A conflict with a recording gets 400 instead of 409, because clients retry
 * after 409.
 */
function statusOf({ row }: EngineError): number {
  return row.httpStatus === 409 ? 400 : row.httpStatus;
}

function bodyOf(error: EngineError, api: ModelApi | undefined): object {
  const status = statusOf(error);
  const [anthropic, openai, google] = KINDS[status] ?? OTHER;
  const message = errorText(error);
  if (api === "anthropic-messages") return { type: "error", error: { type: anthropic, message } };
  if (api === "gemini") return { error: { code: status, message, status: google } };
  return { error: { message, type: openai, param: null, code: openai } };
}

/**
 * Returns a failure as a response in the format of a model API. An unknown API gets OpenAI's format. The header
 * `x-should-retry`, which the client libraries of OpenAI and Anthropic follow, says whether a retry may succeed.
 */
export function toWireError(error: EngineError, api: ModelApi | undefined): WireError {
  return {
    status: statusOf(error),
    headers: {
      "content-type": "application/json",
      "x-should-retry": String(error.retryable),
      "x-switchyard-error": error.code,
    },
    body: JSON.stringify(bodyOf(error, api)),
  };
}
