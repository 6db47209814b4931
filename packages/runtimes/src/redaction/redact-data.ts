import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/** Options for {@link redactData}. */
export interface RedactDataOptions {
  /** Additional keys whose values are redacted. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Returns plain data with the values of secret keys, and credentials in all texts, redacted. Numbers and booleans of
 * secret keys are unchanged, because they are counts and settings. Idempotent. agent-runtime-package: secret
 * requirements.
 */
export function redactData(data: unknown, { keys = [] }: RedactDataOptions = {}): unknown {
  return createRedactor(redactionRulesOf(keys)).data(data);
}
