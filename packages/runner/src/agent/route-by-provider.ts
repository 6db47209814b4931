import type { Client } from "@switchyard/contracts";

/** One client over those of several providers; closing it is left to whoever made them. */
export function routeByProvider(clientOf: (provider: string) => Client, first: string): Client {
  return {
    complete: (request) => clientOf(request.provider ?? first).complete(request),
    stream: (request) => clientOf(request.provider ?? first).stream(request),
    close: async () => undefined,
  };
}
