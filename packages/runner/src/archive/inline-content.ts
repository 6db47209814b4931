import { MAX_INLINE_BYTES, MAX_INLINE_TOTAL_BYTES } from "@switchyard/contracts";

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decoded inline content of an artifact, or the reason why the content was rejected. */
export type InlineContent = { kind: "bytes"; bytes: Buffer } | { kind: "refused"; reason: string };

/** Remaining size for the contents of artifacts that are written directly in a result. */
export interface InlineBudget {
  /** Remaining bytes. */
  left: number;
}

/** Returns the bytes of inline text. See custom-engine: result bounds. */
export function bytesOfText(content: string, budget: InlineBudget): InlineContent {
  const refusal = refusalOf(Buffer.byteLength(content), budget);
  return refusal ?? take(Buffer.from(content), budget);
}

/** Decodes inline base64 content. The size is checked before decoding. See custom-engine: result bounds. */
export function bytesOfBase64(content: string, budget: InlineBudget): InlineContent {
  const estimate = Math.floor((content.length * 3) / 4) - 2;
  const early = refusalOf(estimate, budget);
  if (early !== undefined) return early;
  const compact = content.replace(/[\r\n]/g, "");
  if (!BASE64.test(compact) || compact.length % 4 !== 0)
    return { kind: "refused", reason: "its content_base64 is not valid base64" };
  const bytes = Buffer.from(compact, "base64");
  return refusalOf(bytes.length, budget) ?? take(bytes, budget);
}

function take(bytes: Buffer, budget: InlineBudget): InlineContent {
  budget.left -= bytes.length;
  return { kind: "bytes", bytes };
}

function refusalOf(bytes: number, budget: InlineBudget): { kind: "refused"; reason: string } | undefined {
  if (bytes > MAX_INLINE_BYTES) {
    return { kind: "refused", reason: `its content is larger than ${MAX_INLINE_BYTES} bytes` };
  }
  if (bytes > budget.left) {
    return { kind: "refused", reason: `the inline contents together are larger than ${MAX_INLINE_TOTAL_BYTES} bytes` };
  }
  return undefined;
}
