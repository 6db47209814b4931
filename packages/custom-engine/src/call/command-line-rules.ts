import { EngineError } from "@switchyard/contracts";
import { isSecretName, looksLikeCredential, type Secret } from "@switchyard/secrets";

/** Secrets of a call. */
export interface CallSecrets {
  /** The key that was found for the run. */
  readonly apiKey: Secret | undefined;
  /** Values of `custom.env`, rendered. */
  readonly env: Readonly<Record<string, Secret>>;
}

/** Shorter values occur in ordinary texts. */
const MIN_SECRET_LENGTH = 8;

/**
 * Refuses a rendered text that others can read, a command line or an address, when a secret got into it by the value
 * of a variable. Throws `template.secret_in_command`. custom-engine: credential handling.
 */
export function assertNoSecret(text: string, field: string, { apiKey, env }: CallSecrets): void {
  if (apiKey !== undefined && text.includes(apiKey.reveal())) throw refusal(field, "API key");
  for (const [name, wrapped] of Object.entries(env)) {
    const value = wrapped.reveal();
    if (value.length >= MIN_SECRET_LENGTH && isSecretName(name) && text.includes(value))
      throw refusal(field, `of ${name}`);
  }
  if (looksLikeCredential(text)) throw refusal(field, "in the form of a credential");
}

function refusal(field: string, name: string): EngineError {
  return new EngineError("template.secret_in_command", { field, name });
}
