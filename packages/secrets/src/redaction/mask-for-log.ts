import { createRedactor } from "./create-redactor.ts";

/**
 * Returns plain data for a log, without recognisable secrets: values with credential-like names, in fields or in text;
 * passwords, tokens and signatures in addresses; and texts in a credential's format. For diagnostics in which secrets
 * are not known in advance; a masker handles known secrets. See custom-engine: environment variable references.
 */
export function maskForLog<T>(data: T): T {
  return createRedactor().data(data);
}
