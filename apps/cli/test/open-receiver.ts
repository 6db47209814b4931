import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";

/** Request that a receiver has stored. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Opens a server that stores every request and responds with `{}`. */
export async function openReceiver(): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    requests.push({ path: request.url ?? "", headers: request.headers, body });
    response.end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, requests };
}
