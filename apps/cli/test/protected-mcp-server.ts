import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** An MCP server that wants a sign-in, and the authorization server for it, which always says yes. */
export interface ProtectedServer extends AsyncDisposable {
  /** Its address. */
  readonly url: string;
  /** Every token it gave. */
  readonly secrets: readonly string[];
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** The server of the protocol: one tool that adds. */
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

/** Clients that register themselves, and codes with PKCE. */
class Authorization {
  readonly secrets: string[] = [];
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
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (this.#codes.get(body.get("code") ?? "") !== challenge) {
      json(response, 400, { error: "invalid_grant" });
      return;
    }
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.secrets.push(access, refresh);
    json(response, 200, { access_token: access, token_type: "Bearer", refresh_token: refresh });
  }

  lets({ headers }: IncomingMessage): boolean {
    return this.secrets.some((secret) => headers.authorization === `Bearer ${secret}`);
  }
}

/** Starts both on one port of loopback. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  const authorization = new Authorization();
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
    else if (!authorization.lets(request)) response.writeHead(401, { "www-authenticate": "Bearer" }).end();
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
