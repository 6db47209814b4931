import { EngineError } from "@switchyard/contracts";
import { isSecretName, looksLikeCredential, type Secret } from "@switchyard/secrets";

/** Secrets of a call. */
export interface CallSecrets {
  /** API key of the run. `undefined` if there is none. */
  readonly apiKey: Secret | undefined;
  /** Token for the model gateway. `undefined` if there is none. */
  readonly modelToken?: Secret | undefined;
  /** Rendered values of `custom.env`. */
  readonly env: Readonly<Record<string, Secret>>;
}

/**
 * Minimum length of a secret that is searched for, in characters. Shorter values are ignored, because they occur in
 * ordinary text.
 */
const MIN_SECRET_LENGTH = 8;

/**
 * Throws `template.secret_in_command` if the rendered text contains a secret from a variable. Command lines and URLs
 * can be read by other users and programs. See custom-engine: credential handling.
 */
export function assertNoSecret(text: string, field: string, { apiKey, modelToken, env }: CallSecrets): void {
  if (apiKey !== undefined && text.includes(apiKey.reveal())) throw refusal(field, "API key");
  if (modelToken !== undefined && text.includes(modelToken.reveal())) throw refusal(field, "model token");
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
