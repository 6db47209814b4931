import type { Secret } from "../secret/secret.ts";
import { buildScannerSearch } from "../views/view-scanner.ts";
import { createMaskStream, type MaskPatterns, type MaskStream } from "./create-mask-stream.ts";
import { maskData as maskPlainData } from "./mask-data.ts";
import { buildPatternAutomaton } from "./pattern-automaton.ts";
import { addSecretPatterns, type SecretPatterns } from "./secret-patterns.ts";

/** Replaces known secrets by `***REDACTED***`, in whatever usual encoding they appear. */
export interface Masker {
  /** The text without secrets. Contract: masking twice is masking once. */
  mask(text: string): string;
  /** Plain data without secrets in its texts and keys; the very same value when there are none. */
  maskData<T>(data: T): T;
  /** Masks a text that arrives in pieces. */
  stream(): MaskStream;
  /** Knows more secrets from now on, by the same rules; streams that are under way know what they knew. */
  add(values: Iterable<string | Secret>, options?: MaskerOptions): void;
}

/** What a masker may be told beyond its values. */
export interface MaskerOptions {
  /** Values that are masked however short they are, such as the API key of the run. */
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
 * Makes a masker of known secrets. Values of 8 characters and more are masked, and so is each line of 8 characters
 * and more of a value of several lines: as they are, escaped for JSON, addresses, markup and shells, in base64 and
 * in hex. Secrets that overlap are masked together. custom-engine: masking.
 */
export function createMasker(values: Iterable<string | Secret>, options: MaskerOptions = {}): Masker {
  const patterns: SecretPatterns = { exact: new Set(), forms: new Set() };
  addSecretPatterns(patterns, values, options.keys ?? []);
  let built = buildPatterns(patterns);
  /** For whole texts, one after another. */
  let whole = stream();

  function stream(): MaskStream {
    return built === undefined ? { write: (chunk) => chunk, end: () => "" } : createMaskStream(built);
  }

  function mask(text: string): string {
    return whole.write(text) + whole.end();
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
    whole = stream();
  }

  return { mask, maskData, stream, add };
}
