import { randomBytes } from "node:crypto";
import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import type { Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { EgressDecision } from "@switchyard/gateway/egress";
import type { FakeInternet } from "./fake-internet.ts";

const HOSTILE: readonly (readonly [text: string, status: number])[] = [
  ["HTTP/1.1 099 Strange\r\n\r\n", 502],
  ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", 502],
  ["HTTP/1.1 200 \x01\r\nContent-Length: 0\r\n\r\n", 502],
  ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 502],
  ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\n", 502],
  ["HTTP/1.1 200 OK\r\nX-Bad: a\x00b\r\n\r\n", 502],
  [`HTTP/1.1 200 OK\r\nX-Big: ${"x".repeat(200_000)}\r\n\r\n`, 502],
  ["not HTTP at all\r\n\r\n", 502],
  ["HTTP/1.1 204 \xe9\r\nX-Accent: \xe9\r\n\r\n", 204],
];
/** Responses of a hostile server, by path. */
export const HOSTILE_RESPONSES: ReadonlyMap<string, string> = new Map(
  HOSTILE.map(([text], index) => [`/hostile/${index}`, text]),
);

async function textOf(message: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

/** Opens a tunnel. Resolves with its connection, or rejects with the answer of the proxy. */
export function openTunnel(socketPath: string, authority: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ socketPath, method: "CONNECT", path: authority, headers: { host: authority } });
    outgoing.on("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(socket);
      else reject(new Error(String(response.statusCode)));
    });
    outgoing.on("error", reject).end();
  });
}

function send(options: RequestOptions, body = ""): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest(options, resolve).on("error", reject).end(body);
  });
}

/** Sends a request over TLS in a tunnel and resolves with the body of the response. */
async function overTls(
  socketPath: string,
  { host, ca, body, ...options }: { host: string; ca: string; body: string; ecdhCurve?: string },
): Promise<string> {
  const tunnel = await openTunnel(socketPath, `${host}:443`);
  const socket = connectTls({ socket: tunnel, servername: host, ca, ...options });
  const headers = { host, "content-length": Buffer.byteLength(body) };
  const response = await send({ createConnection: () => socket, method: "POST", path: "/echo", headers }, body);
  return textOf(response);
}

/** Sends a request in plain HTTP through the proxy. */
function overHttp(
  socketPath: string,
  url: string,
  { body = "", ...options }: RequestOptions & { readonly body?: string } = {},
): Promise<IncomingMessage> {
  const { host } = new URL(url);
  return send({ socketPath, path: url, ...options, headers: { host, ...options.headers } }, body);
}

/** Uses that must work. Resolves with one text per use, which is `ok` or describes the failure. */
export async function controls(
  socketPath: string,
  internet: FakeInternet,
  decisions: readonly EgressDecision[],
): Promise<Record<string, string>> {
  const { ca } = internet;
  const large = randomBytes(1_000_000).toString("base64");
  const uses: Record<string, () => Promise<boolean>> = {
    "TLS to a listed host": async () => (await overTls(socketPath, { host: "good.example", ca, body: "hi" })) === "hi",
    "TLS with a second ClientHello": async () => {
      // The client sends a key for its first group, which the server does not support.
      const options = { host: "good.example", ca, body: "hi", ecdhCurve: "P-384:P-256" };
      return (await overTls(socketPath, options)) === "hi";
    },
    "TLS to a host below a listed domain": async () =>
      (await overTls(socketPath, { host: "a.wild.example", ca, body: "hi" })) === "hi",
    "a large body in both directions in a tunnel": async () =>
      (await overTls(socketPath, { host: "good.example", ca, body: large })) === large,
    "plain HTTP to a listed host": async () =>
      (await overHttp(socketPath, "http://good.example/x?y")).headers["x-host"] === "good.example",
    "a large chunked body in both directions in plain HTTP": async () => {
      const options = { method: "POST", headers: { "transfer-encoding": "chunked" }, body: large };
      return (await textOf(await overHttp(socketPath, "http://good.example/", options))) === large;
    },
    "a request without a body in the response": async () =>
      (await overHttp(socketPath, "http://good.example/", { method: "HEAD" })).statusCode === 200,
    "a credential that the proxy adds over TLS": async () =>
      (await textOf(await overHttp(socketPath, "http://keyed.example/authorization"))).startsWith("Bearer "),
    "a refusal that names the option": async () => {
      const response = await overHttp(socketPath, "http://evil.example/");
      return response.statusCode === 403 && (await textOf(response)).includes("--env-network list:evil.example:80");
    },
    "malformed responses of a server are failures of one request": async () => {
      const paths = [...HOSTILE_RESPONSES.keys()].map((path) => `http://good.example${path}`);
      const responses = await Promise.all(paths.map((url) => overHttp(socketPath, url)));
      for (const response of responses) response.resume();
      const statuses = responses.map(({ statusCode }) => statusCode);
      if (`${statuses}` !== `${HOSTILE.map(([, status]) => status)}`) throw new Error(`${statuses}`);
      return true;
    },
    "a tunnel that a name without an address fails": async () => {
      const answer = await openTunnel(socketPath, "none-x.listed.example:443").catch((error: Error) => error.message);
      return answer === "502" && decisions.at(-1)?.reason === "name_not_found";
    },
  };
  const results: Record<string, string> = {};
  for (const [name, use] of Object.entries(uses)) {
    results[name] = await use().then(
      (isOk) => (isOk ? "ok" : "wrong result"),
      (error: unknown) => String(error),
    );
  }
  return results;
}
