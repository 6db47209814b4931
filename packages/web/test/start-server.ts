import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Loopback server with the requests that it received. */
export interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
}

/** Starts a server on a free port. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
