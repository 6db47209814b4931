import { createRedactor } from "./create-redactor.ts";

/**
 * Returns plain data for a log, without recognisable secrets. Masks values whose names indicate a credential,
 * credentials in URLs, and texts in a credential's format. Use it for diagnostics whose secrets are not known in
 * advance. For known secrets, use a masker. See custom-engine: environment variable references.
 */
export function maskForLog<T>(data: T): T {
  return createRedactor().data(data);
}
