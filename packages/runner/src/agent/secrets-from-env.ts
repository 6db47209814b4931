import { isSecretName, looksLikeCredential, type Secret, secret } from "@switchyard/secrets";
import type { EnvironmentRecord } from "./model-choice.ts";

/**
 * Returns the values of environment variables that must be redacted in a run's files, detected by the variable's name
 * or the value's format.
 */
export function secretsFromEnv(env: EnvironmentRecord): Secret[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "" && (isSecretName(name) || looksLikeCredential(value))) values.add(value);
  }
  return [...values].map((value) => secret(value));
}
