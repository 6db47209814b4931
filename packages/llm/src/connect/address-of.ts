/**
 * Returns the address of a request. Does not use `instanceof Request`, because a reference to the class `Request` loads
 * Node's whole `fetch` implementation.
 */
export function addressOf(input: string | URL | Request): string {
  return typeof input === "string" || input instanceof URL ? String(input) : input.url;
}
