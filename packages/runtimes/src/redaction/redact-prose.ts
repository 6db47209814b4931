import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/**
 * Redacts credentials in free text: values after a credential word or an authorization scheme, passwords and parameters
 * in URLs, command options, and texts that look like credentials. Counts, plain words, schemes and structure are
 * unchanged. Idempotent. See agent-runtime-package: secret requirements.
 */
export function redactProse(text: string): string {
  return createRedactor(redactionRulesOf()).text(text);
}
