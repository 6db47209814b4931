/** The address of a request. Not told by its class, of which `Request` itself would load all of Node's `fetch`. */
export function addressOf(input: string | URL | Request): string {
  return typeof input === "string" || input instanceof URL ? String(input) : input.url;
}
