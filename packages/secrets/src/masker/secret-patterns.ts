import { REDACTED, revealSecret, type Secret } from "../secret/secret.ts";
import { normalForm } from "../views/normal-form.ts";
import { base32Variants, encodedVariants, shortBase64Variants, utf16Text } from "./encoded-variants.ts";

/** Shorter values are masked only if they are given as `keys`, such as the run's API key. See custom-engine: masking. */
const MIN_SECRET_LENGTH = 8;

/** Returns the length of the longest suffix of `left` that is a prefix of `right`. */
function overlap(left: string, right: string): number {
  for (let length = Math.min(left.length, right.length); length > 0; length -= 1) {
    if (left.endsWith(right.slice(0, length))) return length;
  }
  return 0;
}

/**
 * Returns a secret without its first characters if the redaction marker ends with them, and without its last characters
 * if the marker starts with them. For example, `***token1` becomes `token1`: the masked text `***REDACTED***token1`
 * contains the whole secret again. The shortened secret is masked too, so that masking a masked text changes nothing.
 */
function withoutMarkerEdges(text: string): string {
  const rest = text.slice(overlap(REDACTED, text));
  return rest.slice(0, rest.length - overlap(rest, REDACTED));
}

function formsOf(value: string): string[] {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r\n|\r|\n/).map((line) => line.trim());
  const parts = lines.length > 1 ? lines.filter((line) => line.length >= MIN_SECRET_LENGTH) : [];
  return [...new Set([value, trimmed, ...parts])].filter((form) => form.length > 0);
}

/** Texts that reveal secrets and must therefore be masked. */
export interface SecretPatterns {
  /** Secrets in every common encoding. Text is searched for these patterns without being decoded. */
  readonly exact: Set<string>;
  /**
   * Normal forms of the secrets. Decoded text is converted to the same form before it is searched for these texts. In
   * the normal form, escapes are decoded, and line ends, quotes and backslashes are removed. Each character stands for
   * one byte.
   */
  readonly forms: Set<string>;
}

function addNormalForm(forms: Set<string>, text: string): void {
  const form = normalForm(text);
  if (form === undefined || (REDACTED + REDACTED).includes(form)) return;
  forms.add(form);
}

function addForms({ exact: patterns, forms }: SecretPatterns, value: string): void {
  for (const form of formsOf(value)) {
    addNormalForm(forms, form);
    addNormalForm(forms, withoutMarkerEdges(form));
    if (form.length >= MIN_SECRET_LENGTH) {
      addNormalForm(forms, utf16Text(form));
      for (const variant of [...base32Variants(form), ...shortBase64Variants(form)]) addNormalForm(forms, variant);
    }
    for (const variant of encodedVariants(form)) {
      // A text that is part of the redaction marker cannot be masked, because it would be found in every marker.
      if (variant.length === 0 || (REDACTED + REDACTED).includes(variant)) continue;
      patterns.add(variant);
      const rest = withoutMarkerEdges(variant);
      if (rest.length >= MIN_SECRET_LENGTH / 2) patterns.add(rest);
    }
  }
}

/** Adds patterns for each value, and for each long enough line of a value, in every common encoding. */
export function addSecretPatterns(
  patterns: SecretPatterns,
  values: Iterable<string | Secret>,
  keys: Iterable<string | Secret>,
): void {
  for (const value of values) {
    const text = revealSecret(value);
    if (text.trim().length >= MIN_SECRET_LENGTH) addForms(patterns, text);
  }
  for (const key of keys) addForms(patterns, revealSecret(key));
}
