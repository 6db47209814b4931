import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { connect, isIPv6, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { EngineError } from "@switchyard/contracts";
import type { ProxySettings } from "@switchyard/llm";

const HTTP_PORT = 80;

/** Returns the proxy through which this machine reaches a host and a port. `undefined`: it connects directly. */
export type HostProxy = (host: string, port: number) => URL | undefined;

function parseAddress(address: string | undefined, field: string): URL | undefined {
  if (address === undefined || address === "") return undefined;
  if (URL.canParse(address) && /^https?:\/\//i.test(address)) return new URL(address);
  throw new EngineError("config.invalid", { field, problem: "it is not the URL of an HTTP proxy" });
}

/** Returns whether an entry of `NO_PROXY`, such as `*`, `example.com`, `.example.com` or `example.com:8443`, applies. */
function matches(entry: string, host: string, port: number): boolean {
  const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (name === "" || (only !== undefined && Number(only) !== port)) return false;
  const domain = name.replace(/^\*?\./, "");
  return name === "*" || host === domain || host.endsWith(`.${domain}`);
}

/**
 * Returns the rule that selects the proxy of a connection. Port 80 uses the proxy for HTTP, and every other port the
 * proxy for HTTPS. Throws `config.invalid` for an address that is not the URL of an HTTP proxy.
 */
export function createHostProxy({ http, https, none = "" }: ProxySettings = {}): HostProxy {
  const [plain, encrypted] = [parseAddress(http, "HTTP_PROXY"), parseAddress(https, "HTTPS_PROXY")];
  const excluded = none.split(/[\s,]+/);
  return (host, port) =>
    excluded.some((entry) => matches(entry, host, port)) ? undefined : port === HTTP_PORT ? plain : encrypted;
}

/** Address and port to which a proxy connects, and the limits of the connection. */
interface TunnelOptions {
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** Closes the connection when it aborts, even if the connection is already open. */
  readonly signal: AbortSignal;
}

function headersOf({ username, password }: URL, authority: string): Record<string, string> {
  if (username === "" && password === "") return { host: authority };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { host: authority, "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` };
}

function openSocket({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  const options = { host, allowHalfOpen: true, noDelay: true, autoSelectFamily: true };
  if (protocol === "http:") return connect({ ...options, port: Number(port || HTTP_PORT) });
  return connectTls({ ...options, port: Number(port || 443), servername: host });
}

/**
 * Connects to an address through a proxy. The proxy gets the address, not the name of the host, so that it cannot
 * resolve the name to an address that was not checked. Rejects if the proxy does not open the tunnel.
 */
export async function connectThrough(proxy: URL, { address, port, timeoutMs, signal }: TunnelOptions): Promise<Socket> {
  const authority = isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
  const request = proxy.protocol === "http:" ? requestHttp : requestHttps;
  const headers = headersOf(proxy, authority);
  return new Promise((resolve, reject) => {
    const opened = openSocket(proxy);
    const abort = (): void => void opened.destroy(new Error("the environment was closed"));
    const timer = setTimeout(() => opened.destroy(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs);
    signal.addEventListener("abort", abort, { once: true });
    opened.once("close", () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    });
    if (signal.aborted) abort();
    const outgoing = request({ method: "CONNECT", path: authority, headers, createConnection: () => opened });
    outgoing.on("error", reject);
    outgoing.once("connect", ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      // The caller adds its own listener. Until then, an error must not end this process.
      socket.on("error", () => {});
      if (head.length > 0) socket.unshift(head);
      if (statusCode >= 200 && statusCode < 300) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} of this machine answered with HTTP ${statusCode}`));
    });
    outgoing.end();
  });
}
