import type { Secret } from "../secret/secret.ts";
import { createMaskStream, type MaskStream } from "./create-mask-stream.ts";
import { maskData as maskPlainData } from "./mask-data.ts";
import { buildPatternAutomaton } from "./pattern-automaton.ts";
import { secretPatterns } from "./secret-patterns.ts";

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

/**
 * Makes a masker of known secrets. Values of 8 characters and more are masked, and so is each line of 8 characters
 * and more of a value of several lines: as they are, escaped for JSON, addresses, markup and shells, in base64 and
 * in hex. Secrets that overlap are masked together. custom-engine: masking.
 */
export function createMasker(values: Iterable<string | Secret>, options: MaskerOptions = {}): Masker {
  const patterns = new Set(secretPatterns(values, options.keys ?? []));
  let automaton = patterns.size === 0 ? undefined : buildPatternAutomaton(patterns);

  function stream(): MaskStream {
    return automaton === undefined ? { write: (chunk) => chunk, end: () => "" } : createMaskStream(automaton);
  }

  function mask(text: string): string {
    const whole = stream();
    return whole.write(text) + whole.end();
  }

  function maskData<T>(data: T): T;
  function maskData(data: unknown): unknown {
    return maskPlainData(data, mask);
  }

  function add(more: Iterable<string | Secret>, { keys = [] }: MaskerOptions = {}): void {
    const known = patterns.size;
    for (const pattern of secretPatterns(more, keys)) patterns.add(pattern);
    if (patterns.size > known) automaton = buildPatternAutomaton(patterns);
  }

  return { mask, maskData, stream, add };
}
