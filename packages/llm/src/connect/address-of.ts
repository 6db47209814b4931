/**
 * Returns the address of a request. Does not test for `Request`, because referencing that class would load all of
 * Node's `fetch`.
 */
export function addressOf(input: string | URL | Request): string {
  return typeof input === "string" || input instanceof URL ? String(input) : input.url;
}
