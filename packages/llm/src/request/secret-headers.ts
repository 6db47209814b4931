import { isSecretName, looksLikeCredential } from "@switchyard/secrets";

/** A header. */
export type Header = readonly [name: string, value: string];

/**
 * Returns the values of headers that are secret by name or format. Each value is returned complete and without a scheme
 * such as `Bearer`.
 */
export function secretHeaderValues(headers: readonly Header[]): readonly string[] {
  const secret = headers.filter(([name, value]) => isSecretName(name) || looksLikeCredential(value));
  return secret.flatMap(([, value]) => [value, value.trim().split(/\s+/).at(-1) ?? value]);
}
