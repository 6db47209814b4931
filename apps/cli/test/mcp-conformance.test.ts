import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { BIN, makeFolder, SHARED_CACHE } from "./start-switchyard.ts";

const PACKAGE: string = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json");
const LEFT_OUT: string = join(import.meta.dirname, "fixtures/mcp-conformance-left-out.yaml");

/** Serves the command over HTTP. Each session is a separate process, and messages are forwarded unchanged. */
async function startBridge() {
  const [cwd, home] = [await makeFolder(), await makeFolder()];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const closers: (() => Promise<void>)[] = [];
  const openSession = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, ...SHARED_CACHE };
    const args = [BIN, "mcp", "--workspace", cwd];
    const program = new StdioClientTransport({ command: process.execPath, args, env, cwd: home, stderr: "inherit" });
    const http = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, http),
    });
    http.onmessage = (message) => void program.send(message);
    program.onmessage = (message) => {
      const id = "method" in message ? undefined : message.id;
      void http.send(message, id === undefined ? {} : { relatedRequestId: id });
    };
    await program.start();
    await http.start();
    closers.push(() => program.close());
    return http;
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(toError(error)));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    const http = known ?? (await openSession());
    const given = await http.handleRequest(await toRequest(request));
    response.writeHead(given.status, Object.fromEntries(given.headers));
    response.flushHeaders();
    if (given.body === null) response.end();
    else await pipeline(Readable.fromWeb(given.body), response);
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the bridge has no port");
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

async function toRequest(request: IncomingMessage): Promise<Request> {
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = request.method === "POST" ? { body: new Uint8Array(await buffer(request)) } : {};
  return new Request(`http://127.0.0.1${request.url}`, { method: request.method ?? "GET", headers, ...body });
}

function runSuite(argv: readonly string[]): Promise<{ isPassed: boolean; output: string }> {
  return new Promise((resolve) => {
    const program = join(dirname(PACKAGE), "dist/index.js");
    execFile(process.execPath, [program, ...argv], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ isPassed: error === null, output: `${stdout}${stderr}` });
    });
  });
}

test("the conformance scenarios of MCP servers pass, and the excluded ones still fail", {
  timeout: 300_000,
}, async () => {
  await using bridge = await startBridge();
  const words = ["server", "--url", bridge.url, "--suite", "all", "--expected-failures", LEFT_OUT];
  const { isPassed, output } = await runSuite(words);
  expect(isPassed, output).toBe(true);
});
