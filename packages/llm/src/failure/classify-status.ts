import type { ErrorCode } from "@switchyard/contracts";
import { isContextOverflow, isRateLookalike, type RefusalText } from "./is-context-overflow.ts";

const QUOTA =
  /insufficient_quota|insufficient (funds|credits?|balance)|credit balance|billing_(error|hard_limit|not_active)|payment required|PerDay/i;
const CONTENT_FILTER = /content.?(filter|policy|management)|content_policy_violation|safety system/i;
const BAD_KEY = /api.?key (is )?(not valid|invalid)|invalid.{0,12}api.?key|API_KEY_INVALID|incorrect api key/i;
/** OpenRouter's message, also under status 400, for a failure of the upstream provider. */
const UPSTREAM = /^(?:\d+ )?provider returned error\b/i;

/**
 * HTTP statuses that correspond to kinds of failures. A failure inside a stream states only the kind of failure,
 * because the HTTP status 200 was sent before the failure.
 */
const STATUS_BY_KIND: readonly (readonly [RegExp, number])[] = [
  [/billing_error|insufficient_quota/, 402],
  [/invalid_request|bad_?request|context_(length|size)|INVALID_ARGUMENT/i, 400],
  [/authentication|invalid_api_key|UNAUTHENTICATED/, 401],
  [/permission|PERMISSION_DENIED/, 403],
  [/not_found|NOT_FOUND/, 404],
  [/request_too_large/, 413],
  [/rate_limit|RESOURCE_EXHAUSTED/, 429],
  [/overloaded/, 529],
  [/timeout|DEADLINE_EXCEEDED/, 504],
  [/UNAVAILABLE/, 503],
];

/** Returns the HTTP status that corresponds to a provider's kind of failure. 500 if unknown. */
export function statusOfKind(kind: string): number {
  return STATUS_BY_KIND.find(([pattern]) => pattern.test(kind))?.[1] ?? 500;
}

function classifyRejection(text: string): ErrorCode {
  if (QUOTA.test(text)) return "llm.quota_exceeded";
  if (BAD_KEY.test(text)) return "llm.authentication";
  if (isRateLookalike(text)) return "llm.rate_limited";
  if (CONTENT_FILTER.test(text)) return "llm.content_filtered";
  return UPSTREAM.test(text.trim()) ? "llm.server_error" : "llm.invalid_request";
}

/**
 * HTTP statuses of invalid requests. Includes 408: this client does not retry such a request, but the agent can retry
 * the whole turn.
 */
const REJECTIONS: ReadonlySet<number> = new Set([400, 405, 406, 408, 410, 411, 415, 422, 431]);

/** Returns the error code for a status and message. See unified-llm-client: errors. */
export function classifyStatus(refusal: RefusalText): ErrorCode {
  const { status, text } = refusal;
  if (isContextOverflow(refusal)) return "llm.context_length";
  if (status >= 500) return "llm.server_error";
  if (status === 401) return "llm.authentication";
  if (status === 402) return "llm.quota_exceeded";
  if (status === 403) return "llm.access_denied";
  if (status === 404) return "llm.not_found";
  if (status === 413) return isRateLookalike(text) ? "llm.rate_limited" : "llm.context_length";
  if (status === 429) return QUOTA.test(text) ? "llm.quota_exceeded" : "llm.rate_limited";
  // Redirects are rejected, because following a redirect would send the API key to another host.
  if (REJECTIONS.has(status) || (status >= 300 && status < 400)) return classifyRejection(text);
  return "llm.unknown";
}
