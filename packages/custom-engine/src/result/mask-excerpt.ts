import type { Masker } from "@switchyard/secrets";

/**
 * Number of characters after the excerpt that are searched together with it. A secret that begins at the end of the
 * excerpt is therefore found, because secrets are shorter than this number.
 */
const MARGIN_CHARS = 64 * 1024;

/**
 * Returns the beginning of a text with secrets masked. The text is masked before it is truncated, because a partial
 * secret would not be recognised.
 */
export function maskExcerpt(text: string, maxChars: number, masker: Masker): string {
  return masker.mask(text.slice(0, maxChars + MARGIN_CHARS)).slice(0, maxChars);
}
