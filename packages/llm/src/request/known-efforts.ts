import { ANTHROPIC_EFFORTS } from "../anthropic/options.ts";
import { GEMINI_EFFORTS } from "../gemini/options.ts";

const KNOWN: Readonly<Record<string, readonly string[]>> = { anthropic: ANTHROPIC_EFFORTS, gemini: GEMINI_EFFORTS };

/**
 * Returns the accepted reasoning efforts of a provider. `undefined` if the provider itself validates the value, so that
 * any value is sent. See loop: §2.7.
 */
export function knownReasoningEfforts(provider: string): readonly string[] | undefined {
  return Object.hasOwn(KNOWN, provider) ? KNOWN[provider] : undefined;
}
