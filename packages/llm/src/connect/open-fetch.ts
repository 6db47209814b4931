import { EngineError } from "@switchyard/contracts";

/** Proxies, as addresses; what is absent is reached directly. */
export interface ProxySettings {
  /** For addresses that begin with http:. */
  http?: string | undefined;
  /** For addresses that begin with https:. */
  https?: string | undefined;
  /** Hosts that are reached directly, separated by commas; `*` for all. */
  none?: string | undefined;
}

/** How connections are opened. */
export interface FetchSettings {
  /** Longest wait for a connection, in milliseconds. */
  connectMs: number | undefined;
  /** Proxies. */
  proxy: ProxySettings | undefined;
  /** Longest wait for an answer or a piece of it, in milliseconds. */
  longestWaitMs: number;
}

/** Makes HTTP requests over connections of its own. */
export interface OpenFetch {
  /** Makes a request. */
  readonly fetch: typeof globalThis.fetch;
  /** Closes the connections. */
  readonly close: () => Promise<void>;
}

/** What Node's own `fetch` waits for a connection, and for an answer or a piece of it. */
const NODE_CONNECT_MS = 10_000;
const NODE_ANSWER_MS = 300_000;

function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "headers" in value && "body" in value;
}

function assertProxy(address: string | undefined, field: string): void {
  if (address === undefined) return;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new EngineError("config.invalid", { field, problem: "it is not an http or https address" });
  }
}

interface Connections {
  send: (input: string, init: RequestInit) => Promise<unknown>;
  close: () => Promise<void>;
}

/** undici is loaded only where Node's own `fetch` cannot do what is asked for: it costs more than a small command. */
async function openConnections({ connectMs = NODE_CONNECT_MS, proxy }: FetchSettings): Promise<Connections> {
  const { Agent, EnvHttpProxyAgent, fetch } = await import("undici");
  // The limits of a call are watched elsewhere.
  const limits = { connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0 };
  // An empty text keeps undici from looking into the process's environment.
  const { http = "", https = "", none = "" } = proxy ?? {};
  const dispatcher =
    proxy === undefined
      ? new Agent(limits)
      : new EnvHttpProxyAgent({ ...limits, httpProxy: http, httpsProxy: https, noProxy: none });
  return {
    send: (input, { method = "GET", headers, body, signal, redirect = "follow" }) => {
      const sent = { method, headers: Object.fromEntries(new Headers(headers)), redirect, dispatcher };
      const text = typeof body === "string" ? { body } : {};
      return fetch(input, { ...sent, ...text, ...(signal ? { signal } : {}) });
    },
    close: () => dispatcher.destroy(),
  };
}

/** Requests over connections with a time limit and proxies of their own; Node's own `fetch` where that does the same. Errors: `config.invalid`. */
export function openFetch(settings: FetchSettings): OpenFetch {
  const { connectMs = NODE_CONNECT_MS, proxy, longestWaitMs } = settings;
  assertProxy(proxy?.http, "HTTP_PROXY");
  assertProxy(proxy?.https, "HTTPS_PROXY");
  if (connectMs === NODE_CONNECT_MS && proxy === undefined && longestWaitMs < NODE_ANSWER_MS) {
    return { fetch: (input, init) => globalThis.fetch(input, init), close: async () => undefined };
  }
  let opened: Promise<Connections> | undefined;
  return {
    async fetch(input, init = {}) {
      opened ??= openConnections(settings);
      const { send } = await opened;
      const response = await send(input instanceof Request ? input.url : String(input), init);
      if (isResponse(response)) return response;
      throw new TypeError("fetch gave no response");
    },
    async close() {
      const connections = await opened;
      opened = undefined;
      await connections?.close();
    },
  };
}
