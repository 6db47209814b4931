import type { Client } from "@switchyard/contracts";

/** Combines the clients of several providers. The caller closes them. */
export function routeByProvider(clientOf: (provider: string) => Client, first: string): Client {
  return {
    complete: (request) => clientOf(request.provider ?? first).complete(request),
    stream: (request) => clientOf(request.provider ?? first).stream(request),
    close: async () => undefined,
  };
}
