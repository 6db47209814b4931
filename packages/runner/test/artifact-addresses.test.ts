import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ArchivedArtifact } from "@switchyard/contracts";
import { openLocalEnvironment } from "@switchyard/environment/local";
import { expect, onTestFinished, test } from "vitest";
import { collectArtifacts } from "../src/index.ts";
import { temporaryWorkspace } from "./temporary-session.ts";

interface Served {
  readonly origin: string;
  readonly requests: IncomingMessage[];
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Served> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { origin: `http://127.0.0.1:${address.port}`, requests };
}

async function fetched(
  url: string,
  allowedOrigins: readonly string[],
): Promise<{ artifact: ArchivedArtifact | undefined; content: string | undefined }> {
  using workspace = temporaryWorkspace();
  await using environment = await openLocalEnvironment({ root: workspace.root });
  const folder = join(workspace.stateDirectory, "artifacts");
  const [artifact] = await collectArtifacts(
    { files: [{ name: "a.txt", url }] },
    { environment, folder, allowedOrigins },
  );
  const path = join(folder, "a.txt");
  const content = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  // A dropped artifact leaves no partial file.
  if (artifact?.dropped !== undefined && existsSync(folder)) expect(readdirSync(folder)).toEqual([]);
  return { artifact, content };
}

test("an address is fetched by GET, without anything that identifies [custom-artifact-url-1] [custom-artifact-url-2]", async () => {
  const { origin, requests } = await serve((_, response) => response.end("content"));
  expect(await fetched(`${origin}/a?b=c`, [origin])).toEqual({
    artifact: { name: "a.txt", path: "a.txt", bytes: 7 },
    content: "content",
  });
  const [request] = requests;
  expect([request?.method, request?.url]).toEqual(["GET", "/a?b=c"]);
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
});

test.each(["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x", "//127.0.0.1/x", "no address"])(
  "%s is not an address that may be fetched [custom-artifact-url-1]",
  async (url) => {
    const { artifact, content } = await fetched(url, []);
    expect([artifact?.dropped?.startsWith("artifacts.files[0]: "), content]).toEqual([true, undefined]);
  },
);

test("private addresses are refused, but for the engine's own origin, on every hop [custom-artifact-url-4]", async () => {
  const inner = await serve((_, response) => response.end("private"));
  expect((await fetched(`${inner.origin}/x`, [])).artifact?.dropped).toContain("127.0.0.1");
  const port = new URL(inner.origin).port;
  expect((await fetched(`http://localhost:${port}/x`, [inner.origin])).artifact?.dropped).toBeDefined();
  const outer = await serve((_, response) => response.writeHead(302, { location: `${inner.origin}/x` }).end());
  expect((await fetched(outer.origin, [outer.origin])).artifact?.dropped).toContain("127.0.0.1");
  expect(inner.requests).toEqual([]);
  expect((await fetched(outer.origin, [outer.origin, inner.origin])).content).toBe("private");
});

test("a fetch that fails, or is too large, is dropped and stores nothing [custom-artifact-url-5]", async () => {
  const failing = await serve((_, response) => response.writeHead(404).end("not found"));
  expect((await fetched(failing.origin, [failing.origin])).artifact?.dropped).toContain("HTTP 404");
  const resetting = await serve((request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    request.socket.destroySoon();
  });
  expect((await fetched(resetting.origin, [resetting.origin])).artifact?.dropped).toBeDefined();
  // A small compressed body that exceeds the limit when decompressed: the limit counts decoded bytes.
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024));
  const large = await serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
  expect((await fetched(large.origin, [large.origin])).artifact?.dropped).toContain("268435456");
});
