import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A request as received by the server. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
  /** The body as a JSON value. */
  json: unknown;
  /** Returns the values of the body at a path; `*` stands for every element of a list. `undefined` if there is none. */
  at: (...path: readonly (string | number)[]) => unknown;
}

/** A server on the loopback interface whose responses a test defines. */
export interface LoopbackServer extends AsyncDisposable {
  url: string;
  requests: SeenRequest[];
  /** Resolves when the client closes the connection of a request before the end of its response. */
  clientLeft: Promise<void>;
}

/** Returns the values of a JSON value at a path; `*` stands for every element of a list. */
export function valueAt(value: unknown, [step, ...further]: readonly (string | number)[]): unknown {
  if (step === undefined) return value;
  if (step === "*") return Array.isArray(value) ? value.map((element) => valueAt(element, further)) : undefined;
  const found = new Map(typeof value === "object" && value !== null ? Object.entries(value) : []);
  return valueAt(found.get(String(step)), further);
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { method = "", url: path = "", headers } = request;
  const json: unknown = text === "" ? undefined : JSON.parse(text);
  return { method, path, headers, text, json, at: (...steps) => valueAt(json, steps) };
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address === "object" && address !== null) return address.port;
  throw new Error("the server has no port");
}

export type Handler = (response: ServerResponse, request: SeenRequest) => void;

export async function startServer(handle: Handler): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  let left: () => void = () => undefined;
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer((request, response) => {
    response.on("close", () => {
      if (!response.writableFinished) left();
    });
    void read(request).then((seen) => {
      requests.push(seen);
      handle(response, seen);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests,
    clientLeft,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(body: unknown, status = 200, headers: Record<string, string> = {}): Handler {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** Server-sent events in the wire format's own framing. */
export function sse(events: readonly object[]): string {
  return events
    .map((event) => `${"type" in event ? `event: ${String(event.type)}\n` : ""}data: ${JSON.stringify(event)}\n\n`)
    .join("");
}

export function answerSse(events: readonly object[], headers: Record<string, string> = {}): Handler {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    response.end(sse(events));
  };
}
