import { isSecretName, looksLikeCredential, type Secret, secret } from "@switchyard/secrets";
import type { EnvironmentRecord } from "./model-choice.ts";

/** The values of an environment that must not appear in a run's files: by the variable's name, or by their shape. */
export function secretsFromEnv(env: EnvironmentRecord): Secret[] {
  const values = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value !== "" && (isSecretName(name) || looksLikeCredential(value))) values.add(value);
  }
  return [...values].map((value) => secret(value));
}
