import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEPENDENCY, type RegisteredTool, type SessionReport, type ToolSource } from "@switchyard/contracts";
import { createDependencies } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { type ScriptStep, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAgentEngine, resumeSession, runSession, startSession } from "../src/index.ts";

/** MCP server with the tool `probe`, which returns the variable `TOKEN`. `mute`: it never responds; `dead`: it exits. */
const SERVER = `
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
appendFileSync("pids", process.pid + "\\n");
if (process.argv[2] === "dead") process.exit(1);
const tools = [{ name: "probe", description: "Probes.", inputSchema: { type: "object", properties: {} } }];
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const serverInfo = { name: "probe", version: "1" };
    send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === "tools/list") send(id, { tools });
  else if (method === "tools/call" && process.argv[2] !== "mute") {
    send(id, { content: [{ type: "text", text: "the token is " + process.env.TOKEN }] });
  }
});
`;
const TOKEN = "t0ken-that-nobody-may-see";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "mcp-"));
  await writeFile(join(root, "server.mjs"), SERVER);
});
afterEach(() => rm(root, { recursive: true }));

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns the process ids of servers that are still running. */
async function survivors(): Promise<number[]> {
  const pids = await readFile(join(root, "pids"), "utf8");
  return pids.trim().split("\n").map(Number).filter(isAlive);
}

function openAgent(steps: readonly ScriptStep[], mode = "") {
  const client = scriptedClient(steps);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the configuration contains a variable reference.
  const env = { TOKEN: "${PROBE_TOKEN}" };
  const server = { command: process.execPath, args: ["server.mjs", mode], env };
  const agent = openAgentEngine({
    ...{ client, model: "anthropic/claude", env: { PROBE_TOKEN: TOKEN }, retry: false },
    mcpServers: { demo: server },
  });
  return { client, agent };
}

const INPUT = { messages: [{ role: "user" as const, content: "go" }] };

function places() {
  return { environment: { type: "local" as const, root }, stateDirectory: join(root, "state") };
}

async function eventsOf(report: SessionReport): Promise<string> {
  return readFile(join(report.runFolder ?? "", "events.jsonl"), "utf8");
}

test("a run has its own MCP servers, whose tools the agent calls and which end with it [loop-8-1]", async () => {
  const { client, agent } = openAgent([toolCall("demo__probe"), text("done")]);
  await using engine = await agent;
  const report = await runSession(INPUT, { engine, ...places() });
  expect(report.status).toBe("completed");
  expect(client.requests[0]?.tools?.map(({ name }) => name)).toContain("demo__probe");
  expect(JSON.stringify(client.requests[1]?.messages)).toContain(`the token is ${TOKEN}`);
  expect(await survivors()).toEqual([]);
  const events = await eventsOf(report);
  expect(events).toContain("the token is ***REDACTED***");
  expect(events).not.toContain(TOKEN);
});

test("a server that does not start is a warning, and the run continues", async () => {
  const { client, agent } = openAgent([text("done")], "dead");
  await using engine = await agent;
  const report = await runSession(INPUT, { engine, ...places() });
  expect(report.status).toBe("completed");
  expect(await eventsOf(report)).toMatch(/"The MCP server demo failed: it ended with exit code 1/);
  expect(client.requests).toHaveLength(1);
});

test("tools of the host are available next to those of the servers", async () => {
  const hosted: RegisteredTool = {
    definition: { name: "hosted", description: "", parameters: { type: "object" } },
    execute: () => "from the host",
  };
  const source: ToolSource = { tools: () => [hosted], onChange: () => () => {} };
  const { client, agent } = openAgent([toolCall("hosted"), text("done")]);
  await using engine = await agent;
  const deps = createDependencies([[DEPENDENCY.toolRegistry, source]]);
  const report = await runSession(INPUT, { engine, deps, ...places() });
  expect(report.status).toBe("completed");
  const names = client.requests[0]?.tools?.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["hosted", "demo__probe"]));
  expect(JSON.stringify(client.requests[1]?.messages)).toContain("from the host");
  const wrong = createDependencies([[DEPENDENCY.toolRegistry, "no source"]]);
  const { agent: second } = openAgent([text("done")]);
  await using other = await second;
  const refused = await runSession(INPUT, { engine: other, deps: wrong, ...places() });
  expect(refused.error?.code).toBe("config.invalid");
  expect(await survivors()).toEqual([]);
});

test("a run that was interrupted during a call of a server continues with that server; the call's outcome is unknown [D5]", async () => {
  const { agent } = openAgent([toolCall("demo__probe")], "mute");
  await using first = await agent;
  const session = await startSession(INPUT, { engine: first, ...places(), interruptGraceMs: 50 });
  for await (const { type } of session.events()) {
    if (type === "tool_call_start") session.interrupt({ cause: "host_shutdown" });
  }
  expect((await session.result).status).toBe("interrupted");
  expect(await survivors()).toEqual([]);

  const { client, agent: next } = openAgent([toolCall("demo__probe"), text("done")]);
  await using second = await next;
  const resumed = await resumeSession(session.runId, { engine: second, ...places() });
  const report = await resumed.result;
  expect(report.status).toBe("completed");
  expect(JSON.stringify(client.requests[0]?.messages)).toMatch(/unknown_outcome|interrupted|cancelled/);
  expect(JSON.stringify(client.requests[1]?.messages)).toContain(`the token is ${TOKEN}`);
  expect((await openFileStore({ directory: join(root, "state") }).list())[0]?.runId).toBe(session.runId);
  expect(await survivors()).toEqual([]);
});

/**
 * Starts an HTTP server whose tool returns the token it was called with, and the authorization server that refreshes
 * it.
 */
async function startEcho(good: string): Promise<{ readonly origin: string } & AsyncDisposable> {
  let token = good;
  const http = createServer(async (request, response) => {
    const { authorization = "" } = request.headers;
    const send = (status: number, body?: unknown): void => {
      response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    };
    let requests = "";
    for await (const chunk of request) requests += String(chunk);
    if (request.url?.startsWith("/.well-known/oauth-protected-resource")) {
      send(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    } else if (request.url?.startsWith("/.well-known/oauth-authorization-server")) {
      const [authorization_endpoint, token_endpoint] = [`${origin}/authorize`, `${origin}/token`];
      const methods = { code_challenge_methods_supported: ["S256"], response_types_supported: ["code"] };
      send(200, { issuer: origin, authorization_endpoint, token_endpoint, ...methods });
    } else if (request.url === "/token") {
      token = REFRESHED;
      send(200, { access_token: token, token_type: "Bearer", refresh_token: `${REFRESHED}-next` });
    } else if (authorization !== `Bearer ${token}`) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}"` }).end();
    } else {
      const { id, method, params } = JSON.parse(requests || "{}");
      const tool = { name: "probe", description: "Probes.", inputSchema: { type: "object", properties: {} } };
      const serverInfo = { name: "echo", version: "1" };
      const capabilities = { tools: {} };
      // Expires the token: the next request is rejected until the token is refreshed.
      if (method === "tools/list") token = "";
      if (method === "initialize") {
        const { protocolVersion } = params;
        send(200, { jsonrpc: "2.0", id, result: { protocolVersion, capabilities, serverInfo } });
      } else if (method === "tools/list") send(200, { jsonrpc: "2.0", id, result: { tools: [tool] } });
      else if (method === "tools/call") {
        send(200, {
          jsonrpc: "2.0",
          id,
          result: { content: [{ type: "text", text: `called with ${authorization}` }] },
        });
      } else send(request.method === "POST" ? 202 : 405);
    }
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
const REFRESHED = "a-token-that-nobody-knew-at-first";

test("a token refreshed during a run is masked like the one before", async () => {
  const first = "a-token-from-the-login";
  await using echo = await startEcho(first);
  const address = `${echo.origin}/mcp`;
  const refreshToken = "what-refreshes-it";
  let stored = { clientId: "us", issuer: echo.origin, accessToken: first, tokenType: "Bearer", refreshToken };
  const client = scriptedClient([toolCall("echo__probe"), text("done")]);
  await using engine = await openAgentEngine({
    ...{ client, model: "anthropic/claude", retry: false, mcpServers: { echo: { url: address } } },
    mcpLogins: {
      load: async () => stored,
      save: async (_address, login) => {
        stored = { ...stored, ...login, issuer: echo.origin, refreshToken: login.refreshToken ?? "" };
      },
      remove: async () => false,
    },
  });
  const report = await runSession(INPUT, { engine, ...places() });
  expect(report.status).toBe("completed");
  expect(stored.accessToken).toBe(REFRESHED);
  expect(JSON.stringify(client.requests[1]?.messages)).toContain(`called with Bearer ${REFRESHED}`);
  const events = await eventsOf(report);
  expect(events).toContain("called with Bearer ***REDACTED***");
  const recording = await readFile(join(report.runFolder ?? "", "recording.jsonl"), "utf8");
  for (const shown of [events, recording, JSON.stringify(report)]) {
    for (const token of [first, REFRESHED, refreshToken]) expect(shown).not.toContain(token);
  }
});
