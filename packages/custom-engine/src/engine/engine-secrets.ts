import { isSecret, isSecretName, looksLikeCredential, type Secret, secret } from "@switchyard/secrets";
import type { CustomEngineConfig } from "../config/custom-engine-config.ts";
import { renderTemplate } from "../template/render-template.ts";

/** Wraps an API key; an empty key counts as none. */
export function wrapKey(key: string | Secret | undefined): Secret | undefined {
  const wrapped = key === undefined || isSecret(key) ? key : secret(key);
  return wrapped?.reveal() === "" ? undefined : wrapped;
}

/**
 * Returns the secrets that calls can contain: the API key, and environment variables that are secret by name or format.
 */
export function secretsOf({ env }: CustomEngineConfig, apiKey: Secret | undefined): Secret[] {
  const values = Object.entries(env).flatMap(([name, template]) => {
    if (template.some(({ kind }) => kind === "reference")) return [];
    const value = renderTemplate(template, { texts: {}, kwargs: {}, structures: {} });
    return value.length >= 8 && (isSecretName(name) || looksLikeCredential(value)) ? [value] : [];
  });
  return [...(apiKey === undefined ? [] : [apiKey]), ...values.map((value) => secret(value))];
}
