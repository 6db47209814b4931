import { createRedactor } from "./create-redactor.ts";

/**
 * Returns plain data for a log, without what says of itself that it is secret: texts under names that read like
 * credentials, values that such a name announces in a text, passwords, tokens and signatures in addresses, and texts
 * in the form of a credential. For diagnostics, where the values are not known; known ones are a masker's.
 * custom-engine: environment variable references.
 */
export function maskForLog<T>(data: T): T {
  return createRedactor().data(data);
}
