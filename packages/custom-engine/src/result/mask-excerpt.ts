import type { Masker } from "@switchyard/secrets";

/**
 * Number of characters after the end of the excerpt that are masked together with it, to recognise a secret at the end.
 * Secrets are shorter than that.
 */
const MARGIN_CHARS = 64 * 1024;

/**
 * Returns the beginning of a text with secrets masked. The text is masked before it is truncated, because a partial
 * secret would not be recognised.
 */
export function maskExcerpt(text: string, maxChars: number, masker: Masker): string {
  return masker.mask(text.slice(0, maxChars + MARGIN_CHARS)).slice(0, maxChars);
}
