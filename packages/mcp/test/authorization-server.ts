import { createHash, randomUUID } from "node:crypto";
import type { McpLogin, McpLogins } from "../src/index.ts";
import { type Handler, type HttpServer, startHttp, streamableToolbox } from "./http-servers.ts";

/** Authorization server for tests, with a simulated user who always grants access. */
export interface AuthorizationServer {
  readonly http: HttpServer;
  readonly issuer: string;
  /** Valid access tokens. */
  readonly good: Set<string>;
  /** All tokens and secrets that the server has issued. */
  readonly secrets: string[];
  /** OAuth grant of each token request, in order. */
  readonly grants: string[];
  /**
   * Opens the authorization page and grants access, as a person in a browser would. Resolves with the HTTP status of
   * the last response.
   */
  allow(address: string): Promise<number>;
}

function json(response: Parameters<Handler>[1], status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/**
 * Starts an authorization server that supports authorization code with PKCE, refresh token rotation, and client
 * credentials.
 */
export async function startAuthorizationServer(): Promise<AuthorizationServer & AsyncDisposable> {
  const clients = new Map<string, { redirectUris: readonly string[]; secret?: string }>();
  clients.set("robot", { redirectUris: [], secret: "robot-secret" });
  const codes = new Map<string, { challenge: string; redirectUri: string; clientId: string }>();
  const refreshes = new Set<string>();
  const [good, secrets, grants] = [new Set<string>(), ["robot-secret"], [] as string[]];
  let issuer = "";

  function give(response: Parameters<Handler>[1], isRefreshable: boolean): void {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    good.add(access);
    secrets.push(access);
    if (isRefreshable) {
      refreshes.add(refresh);
      secrets.push(refresh);
    }
    const more = isRefreshable ? { refresh_token: refresh } : {};
    json(response, 200, { access_token: access, token_type: "Bearer", expires_in: 3600, ...more });
  }

  function token(body: URLSearchParams, basic: string, response: Parameters<Handler>[1]): void {
    const grant = body.get("grant_type") ?? "";
    grants.push(grant);
    if (grant === "client_credentials") {
      if (basic !== "robot:robot-secret") json(response, 401, { error: "invalid_client" });
      else give(response, false);
      return;
    }
    if (grant === "refresh_token") {
      // Refresh tokens are rotated: each is valid only once.
      if (refreshes.delete(body.get("refresh_token") ?? "")) give(response, true);
      else json(response, 400, { error: "invalid_grant" });
      return;
    }
    const code = codes.get(body.get("code") ?? "");
    codes.delete(body.get("code") ?? "");
    const verifier = body.get("code_verifier") ?? "";
    const isProven = code?.challenge === createHash("sha256").update(verifier).digest("base64url");
    if (isProven && code?.redirectUri === body.get("redirect_uri")) give(response, true);
    else json(response, 400, { error: "invalid_grant" });
  }

  function authorize(query: URLSearchParams, response: Parameters<Handler>[1]): void {
    const [clientId, redirectUri] = [query.get("client_id") ?? "", query.get("redirect_uri") ?? ""];
    if (clients.get(clientId)?.redirectUris.includes(redirectUri) !== true) {
      json(response, 400, { error: "invalid_request" });
      return;
    }
    const code = randomUUID();
    codes.set(code, { clientId, redirectUri, challenge: query.get("code_challenge") ?? "" });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  const http = await startHttp((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    if (url.pathname === "/.well-known/oauth-authorization-server") {
      json(response, 200, {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ registration_endpoint: `${issuer}/register`, response_types_supported: ["code"] },
        ...{
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none", "client_secret_basic"],
        },
        grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
      });
    } else if (url.pathname === "/register") {
      const client = JSON.parse(request.body);
      const id = randomUUID();
      clients.set(id, { redirectUris: client.redirect_uris });
      json(response, 201, { ...client, client_id: id });
    } else if (url.pathname === "/authorize") authorize(url.searchParams, response);
    else if (url.pathname === "/token") {
      const basic = Buffer.from((request.headers.authorization ?? "").replace("Basic ", ""), "base64").toString();
      token(new URLSearchParams(request.body), basic, response);
    } else response.writeHead(404).end();
  });
  issuer = new URL(http.url).origin;
  return {
    ...{ http, issuer, good, secrets, grants },
    allow: async (address) => (await fetch(address)).status,
    [Symbol.asyncDispose]: () => http[Symbol.asyncDispose](),
  };
}

/** Starts an MCP server that rejects requests without a token of the authorization server. */
export async function startProtected(authorization: AuthorizationServer): Promise<HttpServer> {
  const { handle } = streamableToolbox();
  let origin = "";
  const http = await startHttp((request, response) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource") === true) {
      json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [authorization.issuer] });
      return;
    }
    if (authorization.good.has((request.headers.authorization ?? "").replace("Bearer ", ""))) {
      return handle(request, response);
    }
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
  });
  origin = new URL(http.url).origin;
  return http;
}

/** Creates a store that stores logins in memory. */
export function memoryLogins(): McpLogins & { readonly stored: Map<string, McpLogin> } {
  const stored = new Map<string, McpLogin>();
  return {
    stored,
    load: async (address) => stored.get(address),
    save: async (address, login) => void stored.set(address, login),
    remove: async (address) => stored.delete(address),
  };
}
