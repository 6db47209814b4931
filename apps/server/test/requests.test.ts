import { request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { ASK, answering, ask, DONE, openServer, post } from "./open-server.ts";
import { sendRaw, statusOf } from "./send-raw.ts";

const BODY = JSON.stringify(ASK);

function rawPost(headers: Record<string, string>, body = BODY): string {
  const all = {
    Host: "127.0.0.1",
    "Content-Type": "application/json",
    "Content-Length": String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST /v1/run HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

test("cross-site requests and unknown host names are rejected, and start nothing", async () => {
  const server = await openServer(answering(() => DONE));
  const cases: readonly [string, number][] = [
    [rawPost({ Host: "evil.example" }), 403],
    [rawPost({ Host: "127.0.0.1.evil.example" }), 403],
    [rawPost({ Host: "localhost.evil.example:80" }), 403],
    [rawPost({ Host: "169.254.169.254" }), 403],
    [rawPost({ Host: "127.0.0.1\r\nhost: evil.example" }), 400],
    [rawPost({ Host: "a b" }), 400],
    [rawPost({ Host: "" }), 400],
    [rawPost({ Host: "127.0.0.1:99999" }), 400],
    [rawPost({ Host: "user@127.0.0.1" }), 403],
    [rawPost({ Host: "127.0.0.1/path" }), 403],
    [rawPost({ Origin: "null" }), 403],
    [rawPost({ Origin: "http://127.0.0.1:1" }), 403],
    [rawPost({ Origin: "http://localhost" }), 403],
    [rawPost({ Origin: "http://127.0.0.1.evil.example" }), 403],
    [rawPost({ Origin: "http://127.0.0.1\r\nOrigin: http://evil.example" }), 403],
    [rawPost({ Origin: "http://evil.example", "Sec-Fetch-Site": "same-origin" }), 403],
    [rawPost({ Origin: "http://127.0.0.1", "Sec-Fetch-Site": "same-site" }), 403],
    [rawPost({ "Sec-Fetch-Site": "cross-site" }), 403],
    [rawPost({ "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" }), 403],
    [rawPost({ "Sec-Fetch-Site": "same-origin\r\nSec-Fetch-Site: cross-site" }), 403],
    [rawPost({}).replace("POST /v1/run", "POST http://127.0.0.1/v1/run"), 400],
    [rawPost({}).replace("HTTP/1.1\r\nHost: 127.0.0.1", "HTTP/1.0"), 400],
    [rawPost({}).replace("Host: 127.0.0.1\r\n", ""), 400],
  ];
  for (const [bytes, status] of cases)
    expect([statusOf(await sendRaw(server.port, bytes)), bytes]).toEqual([status, bytes]);
  expect(server.lines.map(({ status, route, run_id }) => ({ status, route, run_id }))).toEqual(
    // Node.js itself responds to the last request, because HTTP/1.1 requires a Host header.
    cases.slice(0, -1).map(([, status]) => ({ status, route: "none", run_id: undefined })),
  );
  for (const host of ["localhost", `127.0.0.1:${server.port}`, "[::1]:80", "LOCALHOST:1", "127.8.9.1"]) {
    expect([statusOf(await sendRaw(server.port, rawPost({ Host: host }))), host]).toEqual([200, host]);
  }
});

test("the server's own page may send all requests, and other pages may only link to it", async () => {
  const server = await openServer(answering(() => DONE));
  const sameOrigin = { Origin: "http://127.0.0.1", "Sec-Fetch-Site": "same-origin" };
  expect(statusOf(await sendRaw(server.port, rawPost(sameOrigin)))).toBe(200);
  expect(statusOf(await sendRaw(server.port, rawPost({ ...sameOrigin, Origin: "https://127.0.0.1" })))).toBe(200);
  const visit = (path: string, mode = "navigate"): string =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: ${mode}\r\nSec-Fetch-Dest: document\r\n\r\n`;
  expect(statusOf(await sendRaw(server.port, visit("/")))).toBe(200);
  for (const path of ["/v1/runs", "/openapi.json", "/metrics", "/?x", "//", "/assets/x.js"]) {
    expect([path, statusOf(await sendRaw(server.port, visit(path)))]).toEqual([path, 403]);
  }
  expect(statusOf(await sendRaw(server.port, visit("/", "no-cors")))).toBe(403);
  const { headers } = await fetch(server.url);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("an allowed host name counts as the server's own", async () => {
  const server = await openServer(
    answering(() => DONE),
    { allowedHosts: ["Agents.example"] },
  );
  expect(statusOf(await sendRaw(server.port, rawPost({ Host: "agents.example:443" })))).toBe(200);
  expect(statusOf(await sendRaw(server.port, rawPost({ Host: "other.example" })))).toBe(403);
});

test("a body that is not a valid SessionInput is rejected with the problem", async () => {
  const server = await openServer(answering(() => DONE));
  const deep = `{"messages":${"[".repeat(70)}${"]".repeat(70)}}`;
  const cases: readonly [string | Uint8Array, Record<string, string>, number, string][] = [
    [BODY, { "content-type": "text/plain" }, 415, "server.unsupported_media_type"],
    [BODY, { "content-type": "application/jsonx" }, 415, "server.unsupported_media_type"],
    [BODY, { "content-type": "application/json; charset=latin1" }, 415, "server.unsupported_media_type"],
    [BODY, { "content-encoding": "gzip" }, 415, "server.unsupported_media_type"],
    ["", {}, 400, "input.malformed"],
    ["{", {}, 400, "input.malformed"],
    ["[]", {}, 400, "input.invalid"],
    ['{"messages":[]}', {}, 400, "input.invalid"],
    ['{"messages":[{"role":"robot","content":""}]}', {}, 400, "input.invalid"],
    ['{"messages":[{"role":"user","content":"x"}],"timeout_seconds":"5"}', {}, 400, "input.invalid"],
    [deep, {}, 400, "server.bad_request"],
    [Uint8Array.of(0x22, 0xff, 0x22), {}, 400, "server.bad_request"],
    ["x", { "content-type": "multipart/form-data" }, 400, "server.bad_request"],
  ];
  for (const [body, headers, status, code] of cases) {
    const answer = await post(server, body, { headers });
    expect(answer).toMatchObject({ status, body: { status, code, type: "about:blank" } });
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(JSON.stringify(answer.body)).not.toMatch(/\\n *at |\.ts|node_modules/u);
  }
  expect(server.lines.map(({ code }) => code)).toEqual(cases.map(([, , , code]) => code));
  expect(server.errors).toEqual([]);
});

test("brackets in strings are not nesting, UTF-8 is the default charset, and unknown fields are ignored", async () => {
  const server = await openServer(answering((input) => ({ ...DONE, final_message: JSON.stringify(input) })));
  const content = `${"[".repeat(500)}"\\ü`;
  const body = JSON.stringify({ messages: [{ role: "user", content }], surprise: { a: 1 } });
  const { status, body: result } = await post(server, body, {
    headers: { "content-type": 'application/JSON; charset="UTF-8"' },
  });
  expect(status).toBe(200);
  const seen = JSON.parse(String(result["final_message"]));
  expect(seen.messages[0].content).toBe(content);
  expect(Object.keys(seen).sort()).toEqual(["messages", "workspace"]);
});

test("unknown paths and wrong methods are distinguished, and queries are not logged", async () => {
  const server = await openServer(answering(() => DONE));
  const fetched = async (path: string, method = "GET") => fetch(`${server.url}${path}`, { method });
  expect((await fetched("/nothing")).status).toBe(404);
  expect((await fetched("/v1/nothing")).status).toBe(404);
  const refused = await fetched("/v1/run", "DELETE");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  for (const path of ["/livez", "/readyz", "/startupz"]) {
    expect((await fetched(`${path}?token=the-secret-of-nobody`)).status).toBe(200);
    expect((await fetched(path, "POST")).status).toBe(405);
  }
  expect(server.lines).toMatchObject([
    { method: "GET", route: "none", status: 404, level: "warn", code: "server.no_route" },
    { route: "none", status: 404 },
    { method: "DELETE", route: "/v1/run", status: 405 },
    { route: "/livez", status: 200, level: "info" },
    { route: "/livez", status: 405 },
    { route: "/readyz", status: 200 },
    { route: "/readyz", status: 405 },
    { route: "/startupz", status: 200 },
    { route: "/startupz", status: 405 },
  ]);
  expect(JSON.stringify(server.lines)).not.toContain("the-secret-of-nobody");
});

test("a body over the limit is rejected, whatever its declared length", async () => {
  const server = await openServer(
    answering(() => DONE),
    { maxBodyBytes: 1_000 },
  );
  const large = JSON.stringify({ messages: [{ role: "user", content: "x".repeat(2_000) }] });
  const code = "server.body_too_large";
  expect(await post(server, large)).toMatchObject({ status: 413, body: { code } });
  const chunked = rawPost({ "Transfer-Encoding": "chunked" }, `800\r\n${"x".repeat(2048)}\r\n`).replace(
    /Content-Length: \d+\r\n/u,
    "",
  );
  const answer = await sendRaw(server.port, chunked);
  expect(statusOf(answer)).toBe(413);
  expect(answer).toContain("connection: close");
  // The declared length is sufficient for the rejection. The body is not awaited.
  expect(statusOf(await sendRaw(server.port, rawPost({ "Content-Length": "99999999" })))).toBe(413);
  expect((await ask(server)).status).toBe(200);
});

test("a JSON body has a separate limit", async () => {
  const server = await openServer(answering(() => DONE));
  const large = JSON.stringify({ messages: [{ role: "user", content: "x".repeat(11 * 1024 * 1024) }] });
  expect(await post(server, large)).toMatchObject({ status: 413, body: { code: "server.body_too_large" } });
});

test("a stalled body and an endless request time out", async () => {
  const server = await openServer(
    answering(() => DONE),
    { bodyIdleMs: 100 },
  );
  const answer = await sendRaw(server.port, rawPost({ "Content-Length": "500" }));
  expect(statusOf(answer)).toBe(408);
  expect(answer).toContain("server.request_timeout");
  const slow = await openServer(
    answering(() => DONE),
    { requestTimeoutMs: 500 },
  );
  expect(statusOf(await sendRaw(slow.port, rawPost({ "Content-Length": "500" })))).toBe(408);
});

test("an upload that is rejected unread does not end the server when it times out", async () => {
  const server = await openServer(
    answering(() => DONE),
    { bodyIdleMs: 100 },
  );
  const upload = rawPost({ "Content-Type": "multipart/form-data", "Content-Length": "500" });
  expect(statusOf(await sendRaw(server.port, upload))).toBe(400);
  // The upload was received earlier, so it times out first.
  expect(statusOf(await sendRaw(server.port, rawPost({ "Content-Length": "500" })))).toBe(408);
});

test("an aborted request leaves no data, and its slot is released", async () => {
  const server = await openServer(
    answering(() => DONE),
    { concurrency: 1 },
  );
  const request = httpRequest(`${server.url}/v1/run`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": 100 },
  });
  request.on("error", () => undefined);
  await new Promise<void>((resolve) => request.write("{", () => resolve()));
  await expect.poll(async () => (await ask(server)).status).toBe(429);
  request.destroy();
  await expect.poll(async () => (await ask(server)).status).toBe(200);
  await expect.poll(() => server.lines.some(({ status }) => status === 499)).toBe(true);
});
