import { type IncomingMessage, request as openRequest, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { messageOf } from "@switchyard/contracts";
import { createDecision, type DecisionInput } from "../egress-decision.ts";
import { connectTarget } from "./connect-target.ts";
import type { EgressContext, EgressCredential } from "./egress-context.ts";
import { forwardedHeaders } from "./forwarded-headers.ts";
import { parseRequestTarget } from "./parse-request-target.ts";
import { REASON_PHRASES, REFUSAL_HEADERS, statusOf } from "./render-refusal.ts";

const HTTP_PORT = 80;
const HTTPS_PORT = 443;
/** Methods that the proxy does not forward. `TRACE` would return headers that the proxy adds. */
const REFUSED_METHODS: ReadonlySet<string> = new Set(["TRACE", "TRACK"]);

interface Exchange {
  readonly context: EgressContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface ForwardTarget {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly credential: EgressCredential | undefined;
}

/** Serves a request in plain HTTP: forwards it to a listed host, or refuses it with an explanation. */
export async function handleRequest(
  context: EgressContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const exchange = { context, request, response };
  const parsed = parseRequestTarget(request);
  if ("reason" in parsed) {
    refuse(exchange, parsed);
    return;
  }
  if (REFUSED_METHODS.has(request.method ?? "")) {
    refuse(exchange, { ...parsed, reason: "request_invalid", detail: `the method ${request.method} is not allowed` });
    return;
  }
  const credential = context.credentials.find(({ host }) => host.toLowerCase() === parsed.host);
  const port = credential !== undefined && parsed.port === HTTP_PORT ? HTTPS_PORT : parsed.port;
  const connected = await connectTarget(context, parsed.host, port);
  if ("reason" in connected) {
    refuse(exchange, { host: parsed.host, port, ...connected });
    return;
  }
  const { socket, address } = connected;
  if (response.destroyed) {
    socket.destroy();
    return;
  }
  context.report(createDecision({ kind: "http", host: parsed.host, port, reason: "allowed", address }));
  forward(exchange, { ...parsed, port, credential }, socket);
}

function refuse({ context, response, request }: Exchange, input: Omit<DecisionInput, "kind">): void {
  const decision = createDecision({ kind: "http", ...input });
  context.report(decision);
  // The rest of the request is not read, because the connection is closed after the response.
  request.unpipe();
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = statusOf(decision);
  // Without a reason phrase, Node would use that of an earlier call which failed because of an invalid phrase.
  response.writeHead(status, REASON_PHRASES[status], REFUSAL_HEADERS).end(`${decision.message}\n`);
}

function forward(exchange: Exchange, target: ForwardTarget, socket: Socket): void {
  const { context, request, response } = exchange;
  const { host, port, path, credential } = target;
  const fail = (detail: string): void => {
    socket.destroy();
    if (!response.writableEnded) refuse(exchange, { host, port, reason: "connection_failed", detail });
  };
  const onData = (chunk: Buffer): void => {
    if (context.count(chunk.length)) return;
    socket.destroy();
    refuse(exchange, { host, port, reason: "byte_limit", detail: String(context.limits.maxBytes) });
  };
  const omitted = credential === undefined ? [] : [credential.header.toLowerCase()];
  const headers = forwardedHeaders(request, omitted);
  if (credential !== undefined) headers.push(credential.header, credential.value.reveal());
  const outgoing = openRequest({
    ...{ method: request.method ?? "GET", path, headers, maxHeaderSize: context.limits.maxHeaderBytes * 4 },
    createConnection: () => (credential === undefined ? socket : startTls(context, host, socket)),
  });
  socket.setTimeout(context.limits.idleTimeoutMs, () => fail("it sent nothing for too long"));
  outgoing.on("error", (error) => fail(messageOf(error)));
  outgoing.on("upgrade", () => fail("it changed the protocol"));
  outgoing.on("response", (incoming) => {
    if (!sendHead(response, incoming)) {
      fail("its response is malformed");
      return;
    }
    incoming.on("data", onData).on("error", (error) => fail(messageOf(error)));
    incoming.pipe(response);
  });
  response.on("close", () => {
    outgoing.destroy();
    socket.destroy();
  });
  request.on("data", onData).on("error", () => socket.destroy());
  request.pipe(outgoing);
}

/** Sends the status and headers of a response. Returns false if the server sent some that cannot be forwarded. */
function sendHead(response: ServerResponse, incoming: IncomingMessage): boolean {
  try {
    const headers = [...forwardedHeaders(incoming), "Connection", "close"];
    response.writeHead(incoming.statusCode ?? 0, incoming.statusMessage, headers);
    return true;
  } catch {
    return false;
  }
}

function startTls({ ca }: EgressContext, host: string, socket: Socket): TLSSocket {
  return connectTls({ socket, servername: host, ...(ca === undefined ? {} : { ca }) });
}
