import { createRedactor } from "@switchyard/secrets";
import { redactionRulesOf } from "./redacted-keys.ts";

/**
 * Returns a text for people without credentials: values that a credential word announces, values after an
 * authorization scheme, passwords and parameters in addresses, options of commands, and texts in the form of a
 * credential. Counts, plain words, the scheme and the structure stay. Redacting twice is redacting once.
 * agent-runtime-package: secret requirements.
 */
export function redactProse(text: string): string {
  return createRedactor(redactionRulesOf()).text(text);
}
