import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { createToolbox } from "./fixtures/toolbox.mjs";

/** HTTP server on loopback. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[];
  /** Closes all open connections. */
  cut(): void;
}

/** Responds to one request. */
export type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void | Promise<void>;

/**
 * Starts an HTTP server that calls the handler for each request. `port` allows the reuse of a previous server's port.
 * Default: a free port.
 */
export async function startHttp(handle: Handler, port = 0): Promise<HttpServer> {
  const requests: HttpServer["requests"] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      void handle(Object.assign(request, { body }), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/mcp`;
  return {
    url,
    requests,
    cut: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function toWebRequest(request: IncomingMessage & { body: string }): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
  const { method = "GET", body } = request;
  const url = `http://127.0.0.1${request.url ?? "/"}`;
  return new Request(url, { method, headers, ...(method === "POST" ? { body } : {}) });
}

async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  if (answer.body === null) {
    response.end();
    return;
  }
  const reader = answer.body.getReader();
  response.on("close", () => void reader.cancel().catch(() => {}));
  for (let part = await reader.read(); !part.done; part = await reader.read()) response.write(part.value);
  response.end();
}

/** Returns a handler for the toolbox server over streamable HTTP. Each session has a separate MCP server. */
export function streamableToolbox(): {
  handle: Handler;
  sessions: Map<string, WebStandardStreamableHTTPServerTransport>;
} {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  async function transportOf(request: IncomingMessage): Promise<WebStandardStreamableHTTPServerTransport | undefined> {
    const id = request.headers["mcp-session-id"];
    if (typeof id === "string") return sessions.get(id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await createToolbox().connect(transport);
    return transport;
  }
  return {
    sessions,
    async handle(request, response) {
      const transport = await transportOf(request);
      if (transport === undefined) response.writeHead(404).end();
      else await sendWebResponse(await transport.handleRequest(toWebRequest(request)), response);
    },
  };
}

/**
 * Returns a handler for the older HTTP+SSE transport: the event stream announces the address to which the client sends
 * messages.
 */
export function sseProbe(): Handler {
  const streams: ServerResponse[] = [];
  return ({ method, url = "", body }, response) => {
    if (method === "GET") {
      streams.push(response);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`event: endpoint\ndata: /messages/${streams.length - 1}\n\n`);
      return;
    }
    if (!url.startsWith("/messages/")) {
      response.writeHead(405).end();
      return;
    }
    response.writeHead(202).end();
    const { id, method: asked, params = {} } = JSON.parse(body);
    const answer = (result: unknown): void => {
      const stream = streams[Number(url.slice("/messages/".length))];
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
    };
    const { protocolVersion } = params;
    const serverInfo = { name: "sse", version: "1" };
    if (asked === "initialize") answer({ protocolVersion, capabilities: { tools: {} }, serverInfo });
    if (asked === "tools/list") answer({ tools: [{ name: "probe", inputSchema: { type: "object" } }] });
    if (asked === "tools/call") answer({ content: [{ type: "text", text: "over sse" }] });
  };
}
