import { outputLimitIn } from "./output-limit.ts";
import { OVERFLOW_LOOKALIKES, OVERFLOW_WORDINGS } from "./overflow-wordings.ts";

/** Statuses with which servers reject the content of a request. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 413, 422]);

/** Properties of a rejected request by which the rejection is classified. */
export interface RefusalText {
  /** HTTP status of the response, or the status that the error itself states. */
  readonly status: number;
  /** All text of the error: its code, its message and nested messages. */
  readonly text: string;
  /** Host that responded. */
  readonly host?: string | undefined;
}

/** Returns whether an error resembles context overflow but concerns a rate limit. */
export function isRateLookalike(text: string): boolean {
  return OVERFLOW_LOOKALIKES.some(({ pattern }) => pattern.test(text));
}

/**
 * Returns whether a rejection means that the request exceeds the context window. The decision uses the HTTP status and
 * the error text.
 */
export function isContextOverflow({ status, text, host = "" }: RefusalText): boolean {
  const isRejection = REJECTIONS.has(status);
  if (!isRejection && status < 500) return false;
  if (isRateLookalike(text) || outputLimitIn(text)?.isShared === false) return false;
  return OVERFLOW_WORDINGS.some(
    (row) =>
      (isRejection || row.status === "any") &&
      (row.host === undefined || row.host.test(host)) &&
      row.pattern.test(text.trim()),
  );
}
