import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** MCP server that requires OAuth, and its authorization server, which approves every request. */
export interface ProtectedServer extends AsyncDisposable {
  /** URL of the MCP server. */
  readonly url: string;
  /** All tokens that were issued. */
  readonly secrets: readonly string[];
  /** Number of token refreshes. */
  readonly refreshed: number;
  /** Delays this number of tool calls. When all have arrived, invalidates all access tokens and rejects the calls. */
  expireBehind(calls: number): void;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Responds to an MCP message. The server has one tool, which adds two numbers. */
function answerCall(text: string, response: ServerResponse): void {
  const { id, method, params = {} } = JSON.parse(text);
  const serverInfo = { name: "box", version: "1" };
  const tool = { name: "add", inputSchema: { type: "object" } };
  const results: Record<string, unknown> = {
    initialize: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo },
    "tools/list": { tools: [tool] },
    "tools/call": { content: [{ type: "text", text: `sum ${params.arguments?.a + params.arguments?.b}` }] },
  };
  if (id === undefined) response.writeHead(202).end();
  else json(response, 200, { jsonrpc: "2.0", id, result: results[method] });
}

/** Authorization server with dynamic client registration, PKCE, and refresh tokens that can be used once. */
class Authorization {
  readonly secrets: string[] = [];
  readonly good = new Set<string>();
  readonly #refreshers = new Set<string>();
  refreshed = 0;
  readonly #codes = new Map<string, string>();
  origin = "";

  metadata(): Record<string, unknown> {
    const { origin } = this;
    return {
      ...{ issuer: origin, authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` },
      ...{ registration_endpoint: `${origin}/register`, response_types_supported: ["code"] },
      ...{ code_challenge_methods_supported: ["S256"], token_endpoint_auth_methods_supported: ["none"] },
    };
  }

  authorize(query: URLSearchParams, response: ServerResponse): void {
    const [code, back] = [randomUUID(), new URL(query.get("redirect_uri") ?? "")];
    this.#codes.set(code, query.get("code_challenge") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", query.get("state") ?? "");
    response.writeHead(302, { location: back.href }).end();
  }

  token(body: URLSearchParams, response: ServerResponse): void {
    if (body.get("grant_type") === "refresh_token") {
      const isFirst = this.#refreshers.delete(body.get("refresh_token") ?? "");
      if (isFirst) this.refreshed += 1;
      if (isFirst) this.#give(response);
      else json(response, 400, { error: "invalid_grant" });
      return;
    }
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (this.#codes.get(body.get("code") ?? "") !== challenge) {
      json(response, 400, { error: "invalid_grant" });
      return;
    }
    this.#give(response);
  }

  #give(response: ServerResponse): void {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.secrets.push(access, refresh);
    this.good.add(access);
    this.#refreshers.add(refresh);
    json(response, 200, { access_token: access, token_type: "Bearer", refresh_token: refresh });
  }

  lets({ headers }: IncomingMessage): boolean {
    return this.good.has((headers.authorization ?? "").replace("Bearer ", ""));
  }
}

/** Starts the MCP server and the authorization server on one loopback port. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  const authorization = new Authorization();
  let awaited = 0;
  const held: ServerResponse[] = [];
  function refuse(response: ServerResponse): void {
    response.writeHead(401, { "www-authenticate": "Bearer" }).end();
  }
  function hold(response: ServerResponse): void {
    held.push(response);
    if (held.length < awaited) return;
    awaited = 0;
    authorization.good.clear();
    held.splice(0).forEach(refuse);
  }
  function answer(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? "/", authorization.origin);
    const { origin } = authorization;
    if (pathname === "/.well-known/oauth-authorization-server") json(response, 200, authorization.metadata());
    else if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      json(response, 200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    else if (pathname === "/register") json(response, 201, { ...JSON.parse(body), client_id: randomUUID() });
    else if (pathname === "/authorize") authorization.authorize(searchParams, response);
    else if (pathname === "/token") authorization.token(new URLSearchParams(body), response);
    else if (pathname !== "/mcp") response.writeHead(404).end();
    else if (!authorization.lets(request)) refuse(response);
    else if (awaited > 0 && body.includes('"tools/call"')) hold(response);
    else if (request.method === "POST") answerCall(body, response);
    else response.writeHead(405).end();
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  authorization.origin = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return {
    url: `${authorization.origin}/mcp`,
    secrets: authorization.secrets,
    get refreshed() {
      return authorization.refreshed;
    },
    expireBehind(calls) {
      awaited = calls;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
