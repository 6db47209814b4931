import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";

/** A request that a provider received. */
interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A simulated provider on the loopback interface. */
export interface Provider {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

type Respond = (response: ServerResponse, request: ReceivedRequest, incoming: IncomingMessage) => void;

/** Opens a provider that responds as the test defines. It is closed when the test ends. */
export async function openProvider(respond: Respond): Promise<Provider> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    response.on("error", () => undefined);
    let body = "";
    incoming.setEncoding("utf8").on("data", (piece: string) => {
      body += piece;
    });
    incoming.on("end", () => {
      const request = { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, body };
      requests.push(request);
      respond(response, request, incoming);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, requests };
}

/** Responds with JSON. */
export function sendJson(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A complete response of Anthropic's Messages API that used 10 input and 5 output tokens. */
export const MESSAGE = {
  ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-sonnet-4-5" },
  content: [{ type: "text", text: "Hello." }],
  ...{ stop_reason: "end_turn", usage: { input_tokens: 10, output_tokens: 5 } },
} as const;
