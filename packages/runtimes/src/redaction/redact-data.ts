import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/** Options for {@link redactData}. */
export interface RedactDataOptions {
  /** Keys that are redacted besides the standard ones. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Returns plain data without the values of secret keys, and without credentials in its texts. Numbers and booleans
 * under such keys stay: they are counts and settings. Redacting twice is redacting once. agent-runtime-package: secret
 * requirements.
 */
export function redactData(data: unknown, { keys = [] }: RedactDataOptions = {}): unknown {
  return createRedactor(redactionRulesOf(keys)).data(data);
}
