import { setMaxListeners } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { ProxySettings } from "@switchyard/llm";
import type { FindAddresses } from "@switchyard/web/address";
import { endConnection } from "../../connection/end-connection.ts";
import { createDecision, type EgressDecision } from "../egress-decision.ts";
import type { EgressRule } from "../rules/egress-rules.ts";
import type { EgressContext, EgressCredential } from "./egress-context.ts";
import { EGRESS_LIMITS, type EgressLimits } from "./egress-limits.ts";
import { handleRequest } from "./handle-request.ts";
import { handleTunnel } from "./handle-tunnel.ts";
import { createHostProxy } from "./host-proxy.ts";
import { renderRefusal } from "./render-refusal.ts";

const CHECK_INTERVAL_MS = 1000;
/**
 * Permissions of the socket: any user may connect. The folder of the socket is private, so only processes in an
 * environment that is given the socket can reach it.
 */
const SOCKET_MODE = 0o666;

/** Options of an egress proxy. */
export interface EgressProxyOptions {
  /** Hosts and ports that the environment may connect to. An empty list allows nothing. */
  readonly rules: readonly EgressRule[];
  /** Receives every decision. Must not throw. */
  readonly onDecision: (decision: EgressDecision) => void;
  /** Limits that differ from the defaults. */
  readonly limits?: Partial<EgressLimits> | undefined;
  /** Credentials that the proxy adds to requests in plain HTTP. Default: none. */
  readonly credentials?: readonly EgressCredential[] | undefined;
  /** Resolves names. Default: the system's resolver. */
  readonly findAddresses?: FindAddresses | undefined;
  /**
   * Proxies through which this machine connects to servers. They get a checked address instead of the name of the host,
   * so this machine must be able to resolve the names of the allowed hosts. Default: direct connections.
   */
  readonly hostProxy?: ProxySettings | undefined;
  /**
   * Certificate authorities, in PEM format, for the TLS connections over which the proxy sends credentials. They
   * replace the certificate authorities of Node. Default: those of Node.
   */
  readonly ca?: string | undefined;
}

/** A running egress proxy. Disposing it closes all its connections. */
export interface EgressProxy extends AsyncDisposable {
  /** Path of the Unix socket on which the proxy serves one environment. */
  readonly socketPath: string;
}

/**
 * Starts an HTTP proxy on a Unix socket, through which an environment without a network reaches listed hosts. Serves
 * `CONNECT` for TLS and absolute URLs for plain HTTP. Each connection of a client serves one request. Rejects with
 * `config.invalid` for an invalid `hostProxy`.
 */
export async function startEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  const closing = new AbortController();
  // Each open connection adds a listener to this signal, so Node must not warn about their number. Connections have
  // their own limit.
  setMaxListeners(0, closing.signal);
  const limits = { ...EGRESS_LIMITS, ...options.limits };
  const context = createContext(options, limits, closing.signal);
  const server = createProxyServer(context);
  const sockets = trackSockets(server, context);
  const folder = await mkdtemp(join(tmpdir(), "switchyard-egress-"));
  const socketPath = join(folder, "proxy.sock");
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(socketPath, resolve);
    });
    await chmod(socketPath, SOCKET_MODE);
  } catch (error) {
    server.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closing.abort();
    const isClosed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await isClosed;
    await rm(folder, { recursive: true, force: true });
  };
  return {
    socketPath,
    [Symbol.asyncDispose]() {
      closed ??= close();
      return closed;
    },
  };
}

function createContext(options: EgressProxyOptions, limits: EgressLimits, signal: AbortSignal): EgressContext {
  const { rules, onDecision, credentials = [], findAddresses, ca } = options;
  const hostProxy = createHostProxy(options.hostProxy);
  let bytes = 0;
  return {
    ...{ rules, limits, credentials, findAddresses, hostProxy, ca, signal },
    report: onDecision,
    count(count) {
      bytes += count;
      return bytes <= limits.maxBytes;
    },
  };
}

function createProxyServer(context: EgressContext): Server {
  const { limits } = context;
  const server = createServer(
    {
      maxHeaderSize: limits.maxHeaderBytes,
      headersTimeout: limits.handshakeTimeoutMs,
      connectionsCheckingInterval: Math.min(CHECK_INTERVAL_MS, limits.handshakeTimeoutMs),
      // A long upload is limited by the idle timeout alone.
      requestTimeout: 0,
      // The proxy checks the Host header itself, to explain a refusal.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    (request, response) => void handleRequest(context, request, response).catch(() => response.destroy()),
  );
  // Without reused connections, no byte of one request can be taken as the start of another one.
  server.maxRequestsPerSocket = 1;
  server.setTimeout(limits.idleTimeoutMs);
  server.on("connect", (request, client, head) => {
    void handleTunnel(context, request, { client, head }).catch(() => client.destroy());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => answerMalformed(context, error, socket));
  return server;
}

/** Answers a request that the HTTP parser rejects, or whose headers are too slow or too large. */
function answerMalformed({ report }: EgressContext, { code = "" }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isLarge = code === "HPE_HEADER_OVERFLOW";
  const isSlow = code === "ERR_HTTP_REQUEST_TIMEOUT";
  const detail = isLarge
    ? "its headers are too large"
    : isSlow
      ? "its headers took too long"
      : `it is malformed (${code})`;
  const decision = createDecision({ kind: "http", host: "a request", reason: "request_invalid", detail });
  report(decision);
  endConnection(socket, renderRefusal(isLarge ? 431 : isSlow ? 408 : 400, decision.message));
}

/** Tracks open connections, and refuses those above the limit. */
function trackSockets(server: Server, { limits, report }: EgressContext): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    if (sockets.size <= limits.maxConnections) return;
    const decision = createDecision({ kind: "http", host: "a connection", reason: "too_many_connections" });
    report(decision);
    endConnection(socket, renderRefusal(503, decision.message));
  });
  return sockets;
}
