import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/** Options for {@link redactData}. */
export interface RedactDataOptions {
  /** Additional keys whose values are redacted. */
  readonly keys?: readonly string[] | undefined;
}

/**
 * Redacts plain data: the values of secret keys, and credentials in all texts. Numbers and booleans under secret keys
 * are unchanged, because they are counts and settings. Idempotent. See agent-runtime-package: secret requirements.
 */
export function redactData(data: unknown, { keys = [] }: RedactDataOptions = {}): unknown {
  return createRedactor(redactionRulesOf(keys)).data(data);
}
