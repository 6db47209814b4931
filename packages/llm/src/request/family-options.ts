import type { ModelRequest } from "@switchyard/contracts";

const NONE: Readonly<Record<string, unknown>> = {};

/**
 * Returns a request's provider options for an API family. Options given under the provider's name in the client take
 * precedence.
 */
export function familyOptions(
  request: ModelRequest,
  family: string,
  provider: string,
): Readonly<Record<string, unknown>> {
  const options = request.providerOptions;
  if (options === undefined) return NONE;
  return provider === family ? { ...options[family] } : { ...options[family], ...options[provider] };
}

/** Returns the string values of a record, such as headers. */
export function textEntries(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  const entries = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return Object.fromEntries(entries);
}
