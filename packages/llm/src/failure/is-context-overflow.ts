import { outputLimitIn } from "./output-limit.ts";
import { OVERFLOW_LOOKALIKES, OVERFLOW_WORDINGS } from "./overflow-wordings.ts";

/** Statuses with which servers reject a request for its content. */
const REJECTIONS: ReadonlySet<number> = new Set([400, 413, 422]);

/** A refusal, as far as its classification needs it. */
export interface RefusalText {
  /** HTTP status, or the one that the error itself names. */
  readonly status: number;
  /** Everything that the error says: its code, its message and the messages inside it. */
  readonly said: string;
  /** Host that answered. */
  readonly host?: string | undefined;
}

/** Whether an error resembles context overflow and is about a rate. */
export function isRateLookalike(said: string): boolean {
  return OVERFLOW_LOOKALIKES.some(({ words }) => words.test(said));
}

/** Whether a refusal means that the request is longer than the context window. Judged by status and words. */
export function isContextOverflow({ status, said, host = "" }: RefusalText): boolean {
  const isRejection = REJECTIONS.has(status);
  if (!isRejection && status < 500) return false;
  if (isRateLookalike(said) || outputLimitIn(said)?.isShared === false) return false;
  return OVERFLOW_WORDINGS.some(
    (row) =>
      (isRejection || row.status === "any") &&
      (row.host === undefined || row.host.test(host)) &&
      row.words.test(said.trim()),
  );
}
