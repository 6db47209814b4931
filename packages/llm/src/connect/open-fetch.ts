import { EngineError } from "@switchyard/contracts";
import { addressOf } from "./address-of.ts";
import type { FetchConnections } from "./fetch-connections.ts";
import { openHttpFetch } from "./http-fetch.ts";

/** Addresses of proxies. Without a proxy for a protocol, the connection is direct. */
export interface ProxySettings {
  /** Proxy for http: addresses. */
  http?: string | undefined;
  /** Proxy for https: addresses. */
  https?: string | undefined;
  /** Comma-separated hosts to connect to without a proxy; `*` for all hosts. */
  none?: string | undefined;
}

/** Options for connections. */
export interface FetchSettings {
  /** Time limit for a connection, in milliseconds. */
  connectMs: number | undefined;
  /** Proxies. `undefined`: direct connections. */
  proxy: ProxySettings | undefined;
}

const DEFAULT_CONNECT_MS = 10_000;

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

/**
 * Opens a `fetch` that uses proxies. undici is loaded only for proxies, because loading it takes longer than a short
 * command runs.
 */
async function openProxied({ connectMs }: { connectMs: number }, proxy: ProxySettings): Promise<Connections> {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  // An empty string prevents undici from reading the process's environment.
  const { http = "", https = "", none = "" } = proxy;
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: connectMs },
    // undici's own time limits are disabled, because the limits of a call are enforced elsewhere.
    ...{ headersTimeout: 0, bodyTimeout: 0 },
    ...{ httpProxy: http, httpsProxy: https, noProxy: none },
  });
  return {
    send: (input, { method = "GET", headers, body, signal, redirect = "follow" }) => {
      const sent = { method, headers: Object.fromEntries(new Headers(headers)), redirect, dispatcher };
      const text = typeof body === "string" ? { body } : {};
      return fetch(input, { ...sent, ...text, ...(signal ? { signal } : {}) });
    },
    close: () => dispatcher.destroy(),
  };
}

/** Opens connections with a time limit, through proxies if configured. Throws `config.invalid`. */
export function openFetch({ connectMs = DEFAULT_CONNECT_MS, proxy }: FetchSettings): FetchConnections {
  assertProxy(proxy?.http, "HTTP_PROXY");
  assertProxy(proxy?.https, "HTTPS_PROXY");
  if (proxy === undefined) return openHttpFetch({ connectMs });
  let opened: Promise<Connections> | undefined;
  return {
    async fetch(input, init = {}) {
      opened ??= openProxied({ connectMs }, proxy);
      const { send } = await opened;
      const response = await send(addressOf(input), init);
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
