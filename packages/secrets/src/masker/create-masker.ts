import { RecentTexts } from "../detection/recent-texts.ts";
import type { Secret } from "../secret/secret.ts";
import { buildScannerSearch } from "../views/view-scanner.ts";
import { createMaskStream, type MaskPatterns, type MaskStream } from "./create-mask-stream.ts";
import { maskData as maskPlainData } from "./mask-data.ts";
import { buildPatternAutomaton } from "./pattern-automaton.ts";
import { addSecretPatterns, type SecretPatterns } from "./secret-patterns.ts";

/** Masks known secrets, in plain text and common encodings, with `***REDACTED***`. */
export interface Masker {
  /** Returns the text without secrets. Contract: idempotent. */
  mask(text: string): string;
  /**
   * Returns plain data in which the secrets in all texts and keys are masked. Returns the same value if the data
   * contains no secrets.
   */
  maskData<T>(data: T): T;
  /** Creates a stream that masks a text in chunks. */
  stream(): MaskStream;
  /**
   * Adds further secrets to mask. The same rules apply as for the initial secrets. Existing mask streams are not
   * affected.
   */
  add(values: Iterable<string | Secret>, options?: MaskerOptions): void;
}

/** Additional options of a masker. */
export interface MaskerOptions {
  /** Values that are masked regardless of length, such as the run's API key. */
  readonly keys?: Iterable<string | Secret> | undefined;
}

function buildPatterns({ exact, forms }: SecretPatterns): MaskPatterns | undefined {
  if (exact.size === 0) return undefined;
  return {
    exact: buildPatternAutomaton(exact),
    forms: forms.size === 0 ? undefined : buildScannerSearch(forms),
  };
}

/**
 * Creates a masker for known secrets. Masks values of at least 8 characters, and each line of at least 8 characters of
 * a multi-line value. They are found in plain text, escaped (for JSON, URLs, markup and shells), in base64 and in hex.
 * Overlapping secrets are masked together. See custom-engine: masking.
 */
export function createMasker(values: Iterable<string | Secret>, options: MaskerOptions = {}): Masker {
  const patterns: SecretPatterns = { exact: new Set(), forms: new Set() };
  addSecretPatterns(patterns, values, options.keys ?? []);
  let built = buildPatterns(patterns);
  /** Mask stream for texts that are masked as a whole. It is reused for all of them. */
  let fullText = stream();
  /**
   * Short texts that were searched repeatedly and contain no secrets, such as field names. They are not searched again.
   */
  let clean = new RecentTexts<true>();

  function stream(): MaskStream {
    return built === undefined ? { write: (chunk) => chunk, end: () => "" } : createMaskStream(built);
  }

  function mask(text: string): string {
    if (built === undefined || clean.get(text) === true) return text;
    const masked = fullText.write(text) + fullText.end();
    if (masked === text) clean.set(text, true);
    return masked;
  }

  function maskData<T>(data: T): T;
  function maskData(data: unknown): unknown {
    return maskPlainData(data, mask);
  }

  function add(more: Iterable<string | Secret>, { keys = [] }: MaskerOptions = {}): void {
    const known = patterns.exact.size + patterns.forms.size;
    addSecretPatterns(patterns, more, keys);
    if (patterns.exact.size + patterns.forms.size === known) return;
    built = buildPatterns(patterns);
    fullText = stream();
    clean = new RecentTexts();
  }

  return { mask, maskData, stream, add };
}
