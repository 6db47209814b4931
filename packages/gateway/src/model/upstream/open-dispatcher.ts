import type { ProxySettings } from "@switchyard/llm";
import type { Dispatcher } from "undici";

/** Time limit for a connection to a provider, in milliseconds. */
const CONNECT_MS = 10_000;

/** Opens the connections to providers, through proxies if configured. */
export async function openDispatcher(proxy: ProxySettings | undefined): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  // The gateway enforces the time limits of responses itself.
  const options = { connect: { timeout: CONNECT_MS }, headersTimeout: 0, bodyTimeout: 0, allowH2: false };
  if (proxy === undefined) return new Agent(options);
  // An empty string prevents undici from reading the environment of the process.
  const { http = "", https = "", none = "" } = proxy;
  return new EnvHttpProxyAgent({ ...options, httpProxy: http, httpsProxy: https, noProxy: none });
}
