import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as received by the server. */
export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

/** Passes requests on to a server and records them. The mock itself records them only in its own format. */
export interface RecordingRelay extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly WireRequest[];
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

async function pass(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}

/** Starts a relay on the loopback interface. */
export async function startRecordingRelay(target: string): Promise<RecordingRelay> {
  const requests: WireRequest[] = [];
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const { url: path = "", headers } = request;
    requests.push({ path, headers, body: JSON.parse(body) });
    const answer = await fetch(`${target}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    await pass(answer, response);
  }
  const server = createServer((request, response) => {
    relay(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
