import { randomBytes } from "node:crypto";
import { EngineError, messageOf } from "@switchyard/contracts";
import type { McpServerConfig } from "../config/mcp-server-config.ts";
import { type EnvironmentRecord, type ResolvedServer, resolveServerConfig } from "../config/resolve-server-config.ts";
import { cleanLine } from "../text/clean-text.ts";
import { boundedFetch, type Fetch } from "../transport/bounded-fetch.ts";
import { startCallbackServer } from "./callback-server.ts";
import { LoginProvider } from "./login-provider.ts";
import { loginAddress, type McpLogins } from "./mcp-login.ts";
import { MAX_AUTHORIZATION_BYTES } from "./server-access.ts";

/** Options for logging in to an MCP server. */
export interface LoginOptions {
  /** Configuration of the server. */
  readonly config: McpServerConfig;
  /** Values of variables to which the server's configuration refers. Default: none. */
  readonly env?: EnvironmentRecord | undefined;
  /** Stores the login. */
  readonly logins: McpLogins;
  /** Shows the authorization URL to the user who logs in. */
  readonly onAddress: (address: string) => void;
  /** Signal that aborts the wait for the login. */
  readonly signal: AbortSignal;
  /** Loopback port that receives the redirect. Default: a free port. */
  readonly port?: number | undefined;
  /** Performs the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

type HttpServer = Extract<ResolvedServer, { kind: "http" }>;

/** Maximum length of an authorization server's message that is shown, in characters. */
const MAX_PROBLEM_CHARS = 300;

function failed(server: string, problem: string, cause?: unknown): EngineError {
  const shown = cleanLine(problem, MAX_PROBLEM_CHARS);
  return new EngineError("mcp.sign_in_failed", { server, problem: shown }, { cause });
}

function httpServer(name: string, { config, env = {} }: LoginOptions): HttpServer {
  const server = resolveServerConfig(name, config, env);
  if (server.kind === "http" && server.oauth?.grant !== "client_credentials") return server;
  const problem =
    server.kind === "http"
      ? "it authenticates itself with client credentials"
      : "it is started as a program and needs no login";
  throw new EngineError("config.invalid", { field: `mcpServers.${name}`, problem });
}

/**
 * Returns an MCP `initialize` request. A server that requires authorization rejects the request, and names its
 * authorization server in the response.
 */
function initialization(headers: Readonly<Record<string, string>>): RequestInit {
  const clientInfo = { name: "switchyard", version: "0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  return { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
}

/**
 * Sends requests that the server is expected to reject, and returns what the rejection says about the authorization
 * server.
 */
async function challengeOf({ url, headers }: HttpServer, fetch: Fetch, signal: AbortSignal) {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
  const accept = "application/json, text/event-stream";
  const ask = async (init: RequestInit): Promise<Response> => {
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    await response.body?.cancel();
    return response;
  };
  const looked = await ask({ headers: { ...headers, accept } });
  // A server without an event stream rejects every GET request, and this rejection has no header `www-authenticate`.
  // The server's rejection of the `initialize` request has the header.
  const response = looked.headers.has("www-authenticate") ? looked : await ask(initialization({ ...headers, accept }));
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return {
    ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Gets an authorization code through the user's browser, and exchanges it for tokens. */
async function authorize(server: HttpServer, options: LoginOptions): Promise<void> {
  const { logins, signal, port, onAddress } = options;
  const { auth } = await import("@modelcontextprotocol/client");
  const fetch = boundedFetch(options.fetch ?? globalThis.fetch, MAX_AUTHORIZATION_BYTES);
  const state = randomBytes(32).toString("base64url");
  await using callback = await startCallbackServer(state, port);
  const provider = new LoginProvider({
    ...{ oauth: server.oauth ?? { grant: "authorization_code" }, redirectUrl: callback.url, state, known: undefined },
    onAddress: (address) => onAddress(address.href),
    onLogin: (login) => logins.save(loginAddress(server.url), login),
  });
  const challenge = await challengeOf(server, fetch, signal);
  const request = {
    ...{ serverUrl: server.url, fetchFn: fetch },
    ...challenge,
    ...(server.oauth?.scope === undefined ? {} : { scope: server.oauth.scope }),
  };
  if ((await auth(provider, request)) === "AUTHORIZED") return;
  const answer = await callback.answer(signal);
  const code = answer.get("code");
  if (code === null) throw new Error(answer.get("error_description") ?? answer.get("error") ?? "it returned no code");
  const iss = answer.get("iss");
  await auth(provider, { ...request, authorizationCode: code, ...(iss === null ? {} : { iss }) });
}

/**
 * Logs in to an MCP server over HTTP: the user grants access in a browser, which redirects to loopback. The login is
 * stored and used by every later run. OAuth 2.1 with PKCE; the authorization server is discovered from the server's
 * metadata, and the client is registered if none is configured. Rejects with `config.invalid`, `mcp.sign_in_failed`, or
 * the signal's reason. See loop: MCP, §8.
 */
export async function loginToServer(name: string, options: LoginOptions): Promise<void> {
  const server = httpServer(name, options);
  try {
    await authorize(server, options);
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw EngineError.is(error) ? error : failed(name, messageOf(error), error);
  }
}
