import type { Masker } from "@switchyard/secrets";

/** Characters behind a cut that are masked with it: secrets are shorter. */
const MARGIN_CHARS = 64 * 1024;

/** The beginning of a text without secrets. It is masked before it is cut: nobody would recognise half a secret. */
export function maskExcerpt(text: string, maxChars: number, masker: Masker): string {
  return masker.mask(text.slice(0, maxChars + MARGIN_CHARS)).slice(0, maxChars);
}
