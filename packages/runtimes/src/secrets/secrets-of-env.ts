import { type Secret, secret } from "@switchyard/secrets";

/**
 * Wraps environment variables as secrets. A runtime package receives only the variables that its manifest declares by
 * name.
 */
export function secretsOfEnv(env: Readonly<Record<string, string | undefined>>): Record<string, Secret> {
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, secret(value)] as const],
  );
  return Object.fromEntries(set);
}
