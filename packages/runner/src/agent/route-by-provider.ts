import type { Client } from "@switchyard/contracts";

/** Combines the clients of several providers into one. The caller closes the given clients. */
export function routeByProvider(clientOf: (provider: string) => Client, first: string): Client {
  return {
    complete: (request) => clientOf(request.provider ?? first).complete(request),
    stream: (request) => clientOf(request.provider ?? first).stream(request),
    close: async () => undefined,
  };
}
