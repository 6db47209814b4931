import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endConnection } from "../../connection/end-connection.ts";
import { createDecision, type EgressDecision, type EgressReason } from "../egress-decision.ts";
import { parseAuthority } from "../rules/parse-host.ts";
import { type ClientHelloReader, createClientHelloReader } from "../tls/client-hello-reader.ts";
import { type ConnectedTarget, connectTarget } from "./connect-target.ts";
import type { EgressContext } from "./egress-context.ts";
import { headersNamed } from "./forwarded-headers.ts";
import { joinSockets } from "./join-sockets.ts";
import { type ReadHello, readHello, readServerStart } from "./read-handshake.ts";
import { renderRefusal, statusOf } from "./render-refusal.ts";

/** TLS alert record: fatal, `unrecognized_name`. Clients show it as an error of the handshake. RFC 6066, 3. */
const ALERT = Buffer.from([21, 3, 1, 0, 2, 2, 112]);
const NO_BYTES = new Uint8Array(0);
/** First byte of a request in plain HTTP: an upper-case letter. */
const isLetter = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;

interface Tunnel {
  readonly host: string;
  readonly port: number;
  readonly address: string;
}

/** Connection of a client, after its `CONNECT` request. */
export interface ClientStream {
  readonly client: Duplex;
  /** Bytes that the client sent after its request. */
  readonly head: Buffer;
}

/**
 * Serves a `CONNECT` request. After the connection to the target is open, the proxy reads the TLS ClientHello and
 * compares its server name with the host. Only then does data pass, unchanged, in both directions. If the server asks
 * for a second ClientHello, its server name is compared too.
 */
export async function handleTunnel(
  context: EgressContext,
  request: IncomingMessage,
  { client, head }: ClientStream,
): Promise<void> {
  client.on("error", () => client.destroy());
  const asked = request.url ?? "";
  const refuse = (decision: EgressDecision): void => {
    context.report(decision);
    endConnection(client, renderRefusal(statusOf(decision), decision.message));
  };
  const target = parseAuthority(asked, undefined);
  if ("problem" in target) {
    refuse(createDecision({ kind: "tunnel", host: asked, reason: "host_invalid", detail: target.problem }));
    return;
  }
  const problem = checkHostHeader(request, target.host, target.port);
  if (problem !== undefined) {
    refuse(createDecision({ kind: "tunnel", ...target, reason: "request_invalid", detail: problem }));
    return;
  }
  const connected: ConnectedTarget = await connectTarget(context, target.host, target.port);
  if ("reason" in connected) {
    refuse(createDecision({ kind: "tunnel", ...target, ...connected }));
    return;
  }
  if (client.destroyed) {
    connected.socket.destroy();
    return;
  }
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  await passTunnel(context, { ...target, address: connected.address }, { client, head, upstream: connected.socket });
}

/**
 * Checks the header `Host` of a `CONNECT` request. The header is optional, but must name the host and port of the
 * tunnel. Returns the problem; `undefined` if there is none.
 */
function checkHostHeader(request: IncomingMessage, host: string, port: number): string | undefined {
  const hosts = headersNamed(request, "host");
  if (hosts.length > 1) return "the request has several Host headers";
  const [value] = hosts;
  if (value === undefined) return undefined;
  const named = parseAuthority(value, port);
  return "host" in named && named.host === host && named.port === port
    ? undefined
    : "the Host header names another host";
}

interface TunnelSockets extends ClientStream {
  readonly upstream: Socket;
}

async function passTunnel(context: EgressContext, tunnel: Tunnel, { client, head, upstream }: TunnelSockets) {
  const shown = { kind: "tunnel", ...tunnel } as const;
  const { handshakeTimeoutMs: timeoutMs, idleTimeoutMs, maxBytes } = context.limits;
  /** Reads a ClientHello. Resolves with true if it names the host. Otherwise, both connections are ended. */
  const isAllowed = async (reader: ClientHelloReader, first: Uint8Array): Promise<boolean> => {
    const result = await readHello(client, { reader, first, timeoutMs });
    const reason = result === undefined ? undefined : checkHello(result, tunnel.host);
    if (reason === "allowed") return true;
    upstream.destroy();
    // The client closed the tunnel before its handshake was complete, so nothing was decided.
    if (reason === undefined) return false;
    const decision = createDecision({ ...shown, reason, detail: detailOf(result, context) });
    context.report(decision);
    const isPlainHttp = reason === "not_tls" && isLetter(reader.received()[0]);
    endConnection(client, isPlainHttp ? renderRefusal(403, decision.message) : ALERT);
    return false;
  };
  const reader = createClientHelloReader();
  if (!(await isAllowed(reader, head))) return;
  context.report(createDecision({ ...shown, reason: "allowed" }));
  const hello = reader.received().subarray(0, reader.end);
  upstream.write(hello);
  // No later byte of the client is sent before it is known whether the server asks for a second ClientHello, whose name
  // the server may use instead of the first one.
  const start = await readServerStart(
    { client, upstream },
    { first: reader.received().subarray(reader.end), idleTimeoutMs },
  );
  if (start === undefined) return;
  const second = createClientHelloReader({ isSecond: true });
  if (start.isRetry) {
    client.write(start.fromServer);
    if (!(await isAllowed(second, start.fromClient))) return;
  }
  joinSockets(client, upstream, {
    fromClient: start.isRetry ? second.received() : start.fromClient,
    fromServer: start.isRetry ? NO_BYTES : start.fromServer,
    sentBytes: hello.length + (start.isRetry ? start.fromServer.length : 0),
    idleTimeoutMs,
    count: context.count,
    onLimit: () => context.report(createDecision({ ...shown, reason: "byte_limit", detail: `${maxBytes}` })),
  });
}

function checkHello(result: Exclude<ReadHello, undefined>, host: string): EgressReason {
  if ("problem" in result) return result.problem;
  return result.serverName === host ? "allowed" : "sni_mismatch";
}

function detailOf(result: ReadHello, { limits }: EgressContext): string | undefined {
  if (result === undefined) return undefined;
  if ("serverName" in result) return result.serverName;
  return result.problem === "timeout" ? `no TLS handshake started within ${limits.handshakeTimeoutMs} ms` : undefined;
}
