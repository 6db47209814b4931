import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { answerBytes, type CallBehaviour, type ReceivedCall, type TransportFactory } from "@switchyard/testkit";
import { type CallLog, createCallLog } from "./call-log.ts";
import { asMap, configureEngine, openTransportEnvironment } from "./transport-environment.ts";

/** Header with the credential. */
const CREDENTIAL = "x-contract-credential";

/** Opens an engine that is a service: a server on the loopback interface. */
export const openHttpTransport: TransportFactory = async (setting) => {
  const log = createCallLog(setting.behaviour);
  const server = await openService(log);
  const origin = originOf(server);
  if (setting.behaviour.isAbsent === true) await close(server);
  const opened = await openTransportEnvironment(setting);
  const dispose = async (): Promise<void> => {
    await close(server);
    await opened.dispose();
  };
  try {
    const { path = "/v1/run", headers, ...http } = setting.carrier;
    const { credential } = setting;
    const sent = { ...asMap(headers), ...(credential === undefined ? {} : { [CREDENTIAL]: credential }) };
    const engine = configureEngine(setting, {
      transport: "http",
      http: { url: `${origin}${String(path)}`, headers: sent, ...http },
    });
    const { received, whenReceived, whenOver } = log;
    return { engine, environment: opened.environment, received: () => received, whenReceived, whenOver, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
};

function originOf(server: Server): string {
  const address = server.address();
  return typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

async function openService(log: CallLog): Promise<Server> {
  const server = createServer((request, response) => void attend(request, response, log));
  server.on("connection", (socket) => socket.once("close", log.begin()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function attend(request: IncomingMessage, response: ServerResponse, log: CallLog): Promise<void> {
  const call = await toCall(request);
  const behaviour = log.note(call);
  const { service = {}, fails = false, diagnostics = "" } = behaviour;
  const answer = Buffer.from(answerBytes(behaviour, call));
  const plain = fails && answer.length === 0 ? Buffer.from(diagnostics) : answer;
  const bytes = service.isPacked === true ? gzipSync(plain) : plain;
  const packed = service.isPacked === true ? { "content-encoding": "gzip" } : {};
  const status = service.status ?? (fails ? 503 : 200);
  if (behaviour.manner === "never") return;
  response.writeHead(status, { "content-type": "application/json", ...packed, ...service.headers });
  await answerWith(response, bytes, behaviour);
}

async function answerWith(response: ServerResponse, bytes: Buffer, { manner = "whole" }: CallBehaviour): Promise<void> {
  switch (manner) {
    case "whole":
      response.end(bytes);
      return;
    case "pieces":
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        await turn();
      }
      response.end();
      return;
    case "trickle":
      return trickle(response);
    case "flood":
      return flood(response);
    case "breaks":
      response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
      return;
    default:
      response.write(bytes);
  }
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 5);
  response.once("close", () => clearInterval(timer));
}

async function flood(response: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1024 * 1024, "x");
  const over = new AbortController();
  response.once("close", () => over.abort());
  try {
    while (!over.signal.aborted) {
      if (!response.write(chunk)) await once(response, "drain", { signal: over.signal });
    }
  } catch {
    // The client has closed the connection.
  }
}

async function toCall(request: IncomingMessage): Promise<ReceivedCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const body = Buffer.concat(chunks);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ""].flat().join(", ")]),
  );
  const { [CREDENTIAL]: credential, ...others } = headers;
  const path = request.url ?? "";
  return {
    ...{ payload: await payloadOf(body, headers["content-type"] ?? ""), credential },
    surroundings: `${path}\n${JSON.stringify(others)}\n${body.toString("latin1")}`,
    request: { method: request.method ?? "", path, headers, body },
  };
}

async function payloadOf(body: Buffer, contentType: string): Promise<string> {
  if (!contentType.startsWith("multipart/")) return body.toString("utf8");
  const form = await new Response(body, { headers: { "content-type": contentType } }).formData();
  return String(form.get("payload"));
}
