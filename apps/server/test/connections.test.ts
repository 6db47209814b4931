import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseTokens, type ServerOptions } from "../src/index.ts";
import { call, create, untilStatus } from "./call-api.ts";
import { ASK, answering, DONE, openServer } from "./open-server.ts";
import { sendRaw, statusOf } from "./send-raw.ts";
import { gate, stepEngine } from "./step-engine.ts";

const TOKEN = "the-token-of-nobody-0123456789";
const OTHER = "another-token-of-nobody-0123456789";
const TOKENS = parseTokens(`${TOKEN} owner=ada roles=admin\n${OTHER} owner=bob`, "tokens.txt");
const UNLIMITED = { perMinute: 1e9, burst: 1e9 };

function openGuarded(options: Partial<ServerOptions> = {}) {
  return openServer(
    answering(() => DONE),
    { tokens: TOKENS, rateLimit: UNLIMITED, ...options },
  );
}

/** Opens `count` connections that send `bytes` and nothing more. `from` is their local address. */
async function hold(port: number, count: number, { bytes = "", from = "127.0.0.1" } = {}): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1", localAddress: from }));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) socket.on("error", () => undefined);
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
  if (bytes !== "") for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** Returns the value of a metric. */
async function metric(server: { url: string }, line: string): Promise<number> {
  const { body } = await call(server, "GET /metrics", { token: TOKEN });
  const found = String(body["text"])
    .split("\n")
    .find((text) => text.startsWith(`${line} `));
  return Number(found?.split(" ").at(-1) ?? 0);
}

const UNAUTHENTICATED = 'switchyard_connections{kind="unauthenticated"}';
const REQUEST = `GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;

const CLOSING = REQUEST.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");

test("1,100 silent connections do not lock out a caller with a token, and most of them are closed", async () => {
  const server = await openGuarded();
  await hold(server.port, 1_100);
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  // One address may use at most a quarter of a quarter of 1,000 connections.
  await expect.poll(() => metric(server, UNAUTHENTICATED)).toBeLessThanOrEqual(63);
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  const reasons = ["address_limit", "unauthenticated_limit"].map((reason) =>
    metric(server, `switchyard_connections_dropped_total{reason="${reason}"}`),
  );
  const dropped = (await Promise.all(reasons)).reduce((sum, count) => sum + count, 0);
  expect(dropped).toBeGreaterThanOrEqual(1_100 - 63);
});

describe("a caller with a token is served from a flooding address", () => {
  const kinds = [
    ["is silent", ""],
    ["sends half a request", "POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"],
    ["asks without a token", "GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
    ["guesses tokens", `GET /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer guessed-0123456789\r\n\r\n`],
  ] as const;
  const sources = [
    ["with no proxy declared", {}],
    ["through a trusted proxy", { trustedProxies: ["127.0.0.0/8"] }],
  ] as const;
  const cases = sources.flatMap(([source, connections]) =>
    kinds.map(([kind, bytes]) => ({ source, connections, kind, bytes })),
  );

  // A fifth of the default limit, and of the connections that exceed it in the test above.
  test.each(cases)("which $kind, $source", async ({ connections, bytes }) => {
    const server = await openGuarded({ maxConnections: 200, connections });
    await hold(server.port, 220, { bytes });
    for (let round = 0; round < 2; round++) {
      await hold(server.port, 40, { bytes });
      expect(statusOf(await sendRaw(server.port, CLOSING))).toBe(200);
    }
    const [slow] = await hold(server.port, 1, { bytes: CLOSING.slice(0, 20) });
    // The rest of the request is sent separately, after other callers got responses.
    expect(statusOf(await sendRaw(server.port, CLOSING))).toBe(200);
    slow?.write(CLOSING.slice(20));
    const [answer] = await once(slow ?? process.stdin, "data");
    expect(statusOf(String(answer))).toBe(200);
  });
});

test("many addresses together do not take the callers' connections, and the address with the most loses first", async () => {
  const server = await openGuarded({ maxConnections: 80, connections: { maxUnauthenticated: 10, maxPerAddress: 8 } });
  const [few] = await hold(server.port, 1, { from: "127.0.0.2" });
  for (let last = 3; last < 8; last++) await hold(server.port, 8, { from: `127.0.0.${last}`, bytes: "GET / HT" });
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  await expect.poll(() => metric(server, UNAUTHENTICATED)).toBeLessThanOrEqual(10);
  expect(few?.destroyed).toBe(false);
});

test("connections of authenticated callers stay when silent ones are closed", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ steps: 1, before: () => blocked.opened }), {
    ...{ tokens: TOKENS, rateLimit: UNLIMITED, maxConnections: 40 },
    connections: { maxUnauthenticated: 4, maxPerAddress: 2 },
  });
  onTestFinished(blocked.open);
  const runId = await create(server, { token: TOKEN });
  const [stream] = await hold(server.port, 1, {
    bytes: REQUEST.replace("/v1/runs", `/v1/runs/${runId}/events`),
  });
  const [data] = await once(stream ?? process.stdin, "data");
  expect(String(data)).toContain("200 OK");
  await hold(server.port, 200);
  await expect.poll(() => metric(server, UNAUTHENTICATED)).toBeLessThanOrEqual(2);
  expect(stream?.destroyed).toBe(false);
  expect(await metric(server, 'switchyard_connections{kind="authenticated"}')).toBeGreaterThanOrEqual(1);
});

test("a caller's concurrent requests are limited, and other callers are served", async () => {
  const blocked = gate();
  const server = await openServer(stepEngine({ steps: 1, before: () => blocked.opened }), {
    ...{ tokens: TOKENS, rateLimit: UNLIMITED, connections: { maxPerCaller: 3 } },
  });
  onTestFinished(blocked.open);
  const runId = await create(server, { token: OTHER });
  const events = REQUEST.replace("/v1/runs", `/v1/runs/${runId}/events`).replace(TOKEN, OTHER);
  const streams = await hold(server.port, 3, { bytes: events });
  await Promise.all(streams.map((stream) => once(stream, "data")));
  const answer = await sendRaw(server.port, REQUEST.replace(TOKEN, OTHER));
  expect([statusOf(answer), answer]).toEqual([429, expect.stringContaining("server.too_many_connections")]);
  expect(answer.toLowerCase()).toContain("connection: close");
  expect(answer.toLowerCase()).toContain("retry-after:");
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  // An idle connection is closed to make room for a new one.
  streams[0]?.destroy();
  await expect.poll(async () => statusOf(await sendRaw(server.port, REQUEST.replace(TOKEN, OTHER)))).toBe(200);
});

test("an address that guesses tokens gets 429, and a valid token from it is served", async () => {
  let nowMs = 0;
  const server = await openGuarded({ monotonic: () => nowMs });
  const guess = (number: number) => call(server, "GET /v1/runs", { token: `guessed-token-of-nobody-${number}` });
  const answers = [];
  for (let number = 0; number < 300; number++) answers.push(await guess(number));
  expect(answers.map(({ status }) => status)).toEqual([...Array(100).fill(401), ...Array(200).fill(429)]);
  expect(answers[299]?.body).toMatchObject({ code: "server.too_many_attempts", limit: 30, retry_after: 2 });
  expect(answers[299]?.headers.get("retry-after")).toBe("2");
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  // A request without a token is not counted as an attempt to guess one.
  expect((await call(server, "GET /v1/runs")).status).toBe(401);
  nowMs += 2_000;
  expect([(await guess(1)).status, (await guess(2)).status]).toEqual([401, 429]);
  expect(await metric(server, 'switchyard_unknown_tokens_total{outcome="limited"}')).toBe(201);
  expect(JSON.stringify([answers.map(({ body }) => body), server.lines])).not.toContain("guessed-token");
});

test("failed guesses count for the client that a trusted proxy names, and a client cannot name itself", async () => {
  const guess = (forwarded: string) => ({
    token: "guessed-token-of-nobody-1",
    headers: { "x-forwarded-for": forwarded },
  });
  const options = { attemptLimit: { perMinute: 1, burst: 1 } };
  const direct = await openGuarded(options);
  const statusesOf = async (server: { url: string }, clients: readonly string[]) => {
    const statuses = [];
    for (const client of clients) statuses.push((await call(server, "GET /v1/runs", guess(client))).status);
    return statuses;
  };
  expect(await statusesOf(direct, ["192.0.2.1", "192.0.2.2"])).toEqual([401, 429]);
  const proxied = await openGuarded({ ...options, connections: { trustedProxies: ["127.0.0.0/8", "10.0.0.0/8"] } });
  const clients = [
    "192.0.2.1",
    "192.0.2.2",
    "203.0.113.9, 192.0.2.1",
    "192.0.2.2, 10.1.2.3",
    "[2001:db8::1]:4711",
    "2001:db8::2",
  ];
  expect(await statusesOf(proxied, clients)).toEqual([401, 401, 429, 429, 401, 429]);
  await expect(openGuarded({ connections: { trustedProxies: ["proxy.example"] } })).rejects.toMatchObject({
    code: "config.invalid",
  });
});

test("malformed, ambiguous or non-HTTP requests are rejected, and their connection is closed", async () => {
  const server = await openGuarded();
  const host = "Host: 127.0.0.1\r\n";
  const cases: readonly [string, string, number][] = [
    ["a TLS hello", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
    ["an SSH banner", "SSH-2.0-OpenSSH_9.2\r\n", 400],
    ["HTTP/2 with prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    [
      "two kinds of length",
      `POST /v1/run HTTP/1.1\r\n${host}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["two lengths", `POST /v1/run HTTP/1.1\r\n${host}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
    ["a negative length", `POST /v1/run HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    ["an obscured encoding", `POST /v1/run HTTP/1.1\r\n${host}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`, 400],
    ["a folded header", `GET /v1/runs HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400],
    ["a space in a header name", `GET /v1/runs HTTP/1.1\r\n${host}Content-Length : 1\r\n\r\n`, 400],
    ["a header of 20 KB", `GET /v1/runs HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["an expectation of its own", `GET /v1/runs HTTP/1.1\r\n${host}Expect: 200-ok\r\n\r\n`, 417],
    [
      "a WebSocket without a token",
      `GET /v1/runs HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
      401,
    ],
  ];
  for (const [name, bytes, status] of cases) {
    expect([name, statusOf(await sendRaw(server.port, bytes))]).toEqual([name, status]);
  }
  // A CONNECT request gets no response.
  expect(await sendRaw(server.port, `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${host}\r\n`)).toBe("");
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
});

test("Expect: 100-continue is answered only if the caller may send the body", async () => {
  const server = await openGuarded();
  const body = JSON.stringify({ input: ASK });
  const head = (token: string): string =>
    `POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  const refused = await sendRaw(server.port, head("guessed-token-of-nobody"));
  expect(statusOf(refused)).toBe(401);
  expect(refused.toLowerCase()).toContain("connection: close");
  const [caller] = await hold(server.port, 1, { bytes: head(TOKEN) });
  if (caller === undefined) throw new Error("It is not connected.");
  const [first] = await once(caller, "data");
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue/u);
  caller.write(body);
  const [second] = await once(caller, "data");
  expect(String(second)).toMatch(/^HTTP\/1\.1 201 /u);
});

test("a connection with many unauthenticated pipelined requests is closed", async () => {
  const server = await openGuarded();
  const page = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
  expect((await sendRaw(server.port, page.repeat(500))).match(/^HTTP\/1\.1 200/gmu)?.length ?? 0).toBeLessThan(17);
  expect((await call(server, "GET /v1/runs", { token: TOKEN })).status).toBe(200);
  expect(await metric(server, 'switchyard_connections_dropped_total{reason="unauthenticated_limit"}')).toBe(1);
  const [caller] = await hold(server.port, 1, { bytes: REQUEST.repeat(10) });
  let answers = "";
  caller?.on("data", (piece) => {
    answers += String(piece);
  });
  await expect.poll(() => answers.match(/HTTP\/1\.1 200/gu)?.length).toBe(10);
});

test("a body that arrives one byte at a time is rejected", async () => {
  const server = await openGuarded({ bodyIdleMs: 300 });
  const head = `POST /v1/run HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`;
  const [slow] = await hold(server.port, 1, { bytes: head });
  if (slow === undefined) throw new Error("It is not connected.");
  // Each byte arrives within the idle timeout, but the average rate is too low.
  const timer = setInterval(() => slow.write(" "), 20);
  onTestFinished(() => clearInterval(timer));
  const [answer] = await once(slow, "data");
  expect(statusOf(String(answer))).toBe(408);
});

test("a client that does not read a large response is disconnected, and a slow one is not", async () => {
  const large = "x".repeat(30 * 1024 * 1024);
  const blocked = gate();
  const engine = answering(async ({ messages }) => {
    if (messages[0]?.content === "wait") await blocked.opened;
    return { ...DONE, final_message: large };
  });
  const server = await openServer(engine, {
    ...{ tokens: TOKENS, rateLimit: UNLIMITED, connections: { responseIdleMs: 300 } },
  });
  onTestFinished(blocked.open);
  const post = (content: string): string => {
    const body = JSON.stringify({ messages: [{ role: "user", content }] });
    return `POST /v1/run HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  };
  const [waiting] = await hold(server.port, 1, { bytes: post("wait") });
  // The client reads nothing, because its socket has no data listener.
  await hold(server.port, 1, { bytes: post("go") });
  const slow = 'switchyard_connections_dropped_total{reason="slow_reader"}';
  await expect.poll(() => metric(server, slow)).toBe(1);
  expect(waiting?.destroyed).toBe(false);
  blocked.open();
  if (waiting === undefined) throw new Error("It is not connected.");
  const [first] = await once(waiting, "data");
  expect(statusOf(String(first))).toBe(200);
});

test("a limit of open files lowers the connection limit", async () => {
  const { connectionLimitsOf } = await import("../src/connection/connection-limits.ts");
  for (const openFiles of [128, 256, 1_024, 4_096, 20_000, undefined]) {
    const limits = connectionLimitsOf({ hasTokens: true, openFiles });
    const total = limits.maxAuthenticated + limits.maxUnauthenticated;
    expect(limits.maxAccepted).toBe(total + limits.maxBurst);
    expect(limits.maxAccepted).toBeLessThanOrEqual((openFiles ?? 20_000) - 64);
    expect(limits.maxAuthenticated).toBeGreaterThan(limits.maxUnauthenticated);
  }
  expect(connectionLimitsOf({ hasTokens: true, openFiles: undefined })).toMatchObject({
    ...{ maxAuthenticated: 750, maxUnauthenticated: 250, maxPerAddress: 63, maxPerCaller: 200 },
  });
});

test("IPv6 addresses are counted by network, and IPv4 addresses individually", async () => {
  const { addressKey } = await import("../src/connection/address-key.ts");
  for (const [address, key] of [
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::1", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    [undefined, "unknown"],
    ["garbage", "unknown"],
  ] as const) {
    expect([address, addressKey(address)]).toEqual([address, key]);
  }
});

test("a meter tracks at most 10,000 senders", async () => {
  const { createRateMeter } = await import("../src/guard/rate-limit.ts");
  const meter = createRateMeter({ perMinute: 1, burst: 1 }, () => 0);
  for (let number = 0; number < 30_000; number++) meter.take(`sender-${number}`);
  expect(meter.size).toBe(10_000);
  expect([meter.take("sender-29999"), meter.take("sender-0")]).toEqual([60, 0]);
});

test("runs are still accepted and finished while 600 connections are silent or send half a request", async () => {
  const server = await openServer(stepEngine(), { tokens: TOKENS, rateLimit: UNLIMITED });
  await hold(server.port, 300);
  await hold(server.port, 300, { from: "127.0.0.9", bytes: "POST /v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX-" });
  const runId = await create(server, { token: TOKEN });
  await untilStatus(server, runId, { status: "completed", token: TOKEN });
});
