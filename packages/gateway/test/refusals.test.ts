import { connect } from "node:net";
import { expect, test } from "vitest";
import { anthropicAt, KEY, messagesBody, openGateway } from "./open-gateway.ts";
import { MESSAGE, openProvider, sendJson } from "./open-provider.ts";
import { sendBytes } from "./send-bytes.ts";

test("a token is valid only at the address of its run, and until the run ends", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { send, gateway, run, events } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const other = await gateway.openRun({ runId: "run-2" });
  const ended = await gateway.openRun({ runId: "run-3" });
  await ended.close();
  const statusOf = async (token: string): Promise<unknown> => {
    const response = await send("/v1/messages", { body: messagesBody(), headers: { authorization: token } });
    return [response.status, await response.json()];
  };
  const rejected = (message: RegExp) => [
    401,
    { type: "error", error: { type: "authentication_error", message: expect.stringMatching(message) } },
  ];
  expect(await statusOf(`Bearer ${other.token.reveal()}`)).toEqual(rejected(/does not belong to the run/));
  expect(await statusOf(`Bearer ${ended.token.reveal()}`)).toEqual(rejected(/its run has ended/));
  expect(await statusOf("Bearer guessed")).toEqual(rejected(/does not belong/));
  expect(await statusOf("")).toEqual(rejected(/no token/));
  expect(await statusOf(`Bearer ${run.token.reveal()}`)).toEqual([200, MESSAGE]);
  expect(events.slice(0, 4)).toMatchObject([
    { type: "model_request_refused", runId: "run-1", error: "gateway.token_unknown", tokenOf: "run-2" },
    { error: "gateway.token_expired", tokenOf: "run-3" },
    { error: "gateway.token_unknown", tokenOf: undefined },
    { error: "gateway.token_missing" },
  ]);
  expect(provider.requests).toHaveLength(1);
  const baseUrl = ended.baseUrl;
  await expect(fetch(`${baseUrl}/v1/models`)).rejects.toThrow("fetch failed");
});

test("an expired token is refused while its run is open", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { send } = await openGateway({ upstreams: anthropicAt(provider.url) }, { expiresAfterMs: 1 });
  await expect.poll(async () => (await send("/v1/messages", { body: messagesBody() })).status).toBe(401);
});

const MODELS = { models: ["claude-sonnet-4-5", "anthropic/claude-haiku-*"] } as const;

test.each([
  ["another model", "/v1/messages", messagesBody({ model: "claude-opus-4-1" }), 403, "gateway.model_refused"],
  [
    "a model whose name only begins like an allowed one",
    "/v1/messages",
    messagesBody({ model: "claude-sonnet-4-5-x" }),
    403,
    "gateway.model_refused",
  ],
  [
    "another model in OpenRouter's list",
    "/v1/messages",
    messagesBody({ models: ["claude-opus-4-1"] }),
    403,
    "gateway.model_refused",
  ],
  [
    "two models",
    "/v1/messages",
    '{"model":"claude-sonnet-4-5","model":"claude-opus-4-1"}',
    400,
    "gateway.request_refused",
  ],
  [
    "an escaped second model",
    "/v1/messages",
    '{"model":"claude-opus-4-1","mod\\u0065l":"claude-sonnet-4-5"}',
    400,
    "gateway.request_refused",
  ],
  [
    "a second model in capital letters",
    "/v1/messages",
    '{"model":"claude-sonnet-4-5","MODEL":"claude-opus-4-1"}',
    400,
    "gateway.request_refused",
  ],
  ["no model", "/v1/messages", '{"messages":[]}', 400, "gateway.request_refused"],
  [
    "100,000 nested arrays",
    "/v1/messages",
    `{"model":"claude-sonnet-4-5","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    400,
    "gateway.request_refused",
  ],
  ["a list", "/v1/messages", "[]", 400, "gateway.request_refused"],
  ["no JSON", "/v1/messages", '{"model":', 400, "gateway.request_refused"],
  ["an API without a provider", "/v1/responses", { model: "claude-sonnet-4-5" }, 503, "gateway.no_upstream"],
  ["another path", "/v1/files", {}, 404, "gateway.path_refused"],
  ["a path with a host", "//evil.example/v1/messages", messagesBody(), 404, "gateway.path_refused"],
  ["a path with encoded dots", "/v1/%2e%2e/messages", messagesBody(), 404, "gateway.path_refused"],
  ["a longer path", "/v1/messages/batches", messagesBody(), 404, "gateway.path_refused"],
  ["an encoded model", "/v1beta/models/..%2f..%2ffiles:generateContent", {}, 404, "gateway.path_refused"],
  ["a GET", "/v1/messages", undefined, 404, "gateway.path_refused"],
])("a request with %s is refused", async (...row) => {
  const [, path, body, status, error] = row;
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { send, events } = await openGateway({ upstreams: anthropicAt(provider.url) }, MODELS);
  const response = await send(path, { body });
  expect([response.status, response.headers.get("x-switchyard-error")]).toEqual([status, error]);
  expect(await response.json()).toHaveProperty("error.message");
  expect(events).toMatchObject([{ type: "model_request_refused", error }]);
  expect(provider.requests).toHaveLength(0);
  const allowed = await send("/v1/messages", { body: messagesBody({ model: "claude-haiku-4-5" }) });
  expect(await allowed.json()).toEqual(MESSAGE);
});

test("bytes that two servers could understand differently are refused", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { run, send, events } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const token = run.token.reveal();
  const body = JSON.stringify(messagesBody());
  const length = `content-length: ${body.length}`;
  const head = (target: string, ...headers: string[]): string =>
    [`POST ${target} HTTP/1.1`, "host: gateway", "connection: close", ...headers, "", ""].join("\r\n");
  const sent = [
    head("/v1/messages", `x-api-key: ${token}`, length, "transfer-encoding: chunked") + body,
    head("/v1/messages", `x-api-key: ${token}`, length, "content-length: 5") + body,
    head("/v1/messages", `x-api-key: ${token}`, "authorization: Bearer other", length) + body,
    head("/v1/messages", `x-api-key: ${token}`, `x-api-key: ${token}`, length) + body,
    head("/v1/messages", `x-api-key: ${token}`, "content-encoding: gzip", length) + body,
    head("http://evil.example/v1/messages", `x-api-key: ${token}`, length) + body,
    head("/v1/messages", `x-api-key: ${token}`, "host: evil.example", length) + body,
    `CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\nx-api-key: ${token}\r\n\r\n`,
  ];
  for (const bytes of sent) {
    expect((await sendBytes(run.baseUrl, bytes)).slice(0, 14)).toMatch(/^HTTP\/1\.1 40[04] /);
  }
  expect(events.map(({ type }) => type)).toEqual(sent.map(() => "model_request_refused"));
  expect(provider.requests).toHaveLength(0);
  const good = head("/v1/messages", `x-api-key: ${token}`, length) + body;
  expect(await sendBytes(run.baseUrl, good)).toMatch(/^HTTP\/1\.1 200 /);
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(200);
});

test("a body over the limit is refused before it has arrived, announced or not", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { run, send, events } = await openGateway({
    upstreams: anthropicAt(provider.url),
    limits: { maxRequestBytes: 1_000 },
  });
  const head = `POST /v1/messages HTTP/1.1\r\nhost: g\r\nx-api-key: ${run.token.reveal()}\r\n`;
  const announced = await sendBytes(run.baseUrl, `${head}content-length: 100000000\r\n\r\n`);
  const chunked = await sendBytes(
    run.baseUrl,
    `${head}transfer-encoding: chunked\r\n\r\n7d0\r\n${"x".repeat(2_000)}\r\n`,
  );
  for (const received of [announced, chunked]) {
    expect(received).toMatch(/^HTTP\/1\.1 413 [\s\S]*"type":"request_too_large"/);
  }
  expect(events).toMatchObject([{ error: "gateway.request_too_large" }, { error: "gateway.request_too_large" }]);
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(200);
});

test("a response without an end, or without a reader, is ended without harm to other runs", async () => {
  const chunk = `data: ${"x".repeat(60_000)}\n\n`;
  let written = 0;
  const provider = await openProvider((response, { body }) => {
    if (!body.includes('"stream":true')) return sendJson(response, MESSAGE);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", write);
    write();
  });
  const limits = { maxResponseBytes: 20_000_000, clientTimeoutMs: 100 };
  const { run, send, events, gateway } = await openGateway({ upstreams: anthropicAt(provider.url), limits });
  const endless = await send("/v1/messages", { body: messagesBody({ stream: true }) });
  await expect(endless.arrayBuffer()).rejects.toThrow();
  expect(events).toMatchObject([
    { type: "model_call_ended", error: "gateway.response_too_large", isUsageEstimated: true },
  ]);

  written = 0;
  const body = JSON.stringify(messagesBody({ stream: true }));
  const { port } = new URL(run.baseUrl);
  const socket = connect(Number(port), "127.0.0.1").pause();
  socket.on("error", () => undefined);
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nhost: g\r\nx-api-key: ${run.token.reveal()}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const other = await gateway.openRun({ runId: "run-2" });
  const headers = { "x-api-key": other.token.reveal() };
  const response = await fetch(`${other.baseUrl}/v1/messages`, {
    method: "POST",
    headers,
    body: JSON.stringify(messagesBody()),
  });
  expect(await response.json()).toEqual(MESSAGE);
  await expect.poll(() => events.at(-1)).toMatchObject({ runId: "run-1", error: "gateway.client_stalled" });
  expect(written).toBeLessThan(20_000_000);
  socket.destroy();
});

test("a provider that sends nothing fails, and closing a run ends its calls", async () => {
  const provider = await openProvider(() => undefined);
  const upstreams = anthropicAt(provider.url);
  const slow = await openGateway({ upstreams, limits: { upstreamTimeoutMs: 20 }, retry: { retries: 0 } });
  const response = await slow.send("/v1/messages", { body: messagesBody() });
  expect([response.status, await response.json()]).toEqual([
    504,
    { type: "error", error: { type: "timeout_error", message: expect.any(String) } },
  ]);

  const { send, run, events } = await openGateway({ upstreams });
  const pending = send("/v1/messages", { body: messagesBody() });
  await expect.poll(() => provider.requests.length).toBe(2);
  await Promise.all([expect(pending).rejects.toThrow("fetch failed"), run.close()]);
  expect(events).toMatchObject([{ type: "model_call_ended", error: "gateway.call_aborted", isUsageEstimated: true }]);
});

test("the API key reaches no response, error or event, whatever the provider sends", async () => {
  const provider = await openProvider((response, { body }) => {
    const status = Number(/status (\d+)/.exec(body)?.[1] ?? 200);
    response.setHeader("x-echo", `key ${KEY}`);
    response.setHeader("location", `http://127.0.0.1:1/?key=${KEY}`);
    sendJson(response, status === 200 ? MESSAGE : { error: { message: `The key ${KEY} is wrong.` } }, status);
  });
  const { send, events } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const received: unknown[] = [];
  for (const [status, expected] of [
    [200, 200],
    [307, 503],
    [400, 400],
    [401, 503],
    [403, 403],
    [500, 500],
  ] as const) {
    const content = [{ role: "user", content: `status ${status}` }];
    const response = await send("/v1/messages", { body: messagesBody({ messages: content }) });
    expect([status, response.status]).toEqual([status, expected]);
    received.push(...response.headers, await response.text());
  }
  expect(JSON.stringify([received, events])).not.toContain(KEY);
  expect(JSON.stringify(received)).toContain("The key ***REDACTED*** is wrong.");
  expect(JSON.stringify(received)).toContain("rejected the API key of the gateway");
});

test("the bodies of a run's requests in progress have a limit together", async () => {
  const waiting: (() => void)[] = [];
  const provider = await openProvider((response) => {
    waiting.push(() => sendJson(response, MESSAGE));
  });
  const { send, events } = await openGateway({
    upstreams: anthropicAt(provider.url),
    limits: { maxBufferedBytes: 3_000 },
  });
  const body = messagesBody({ system: "x".repeat(2_000) });
  const first = send("/v1/messages", { body });
  await expect.poll(() => waiting.length).toBe(1);
  expect((await send("/v1/messages", { body })).status).toBe(429);
  expect(events).toMatchObject([{ error: "gateway.too_many_calls" }]);
  waiting[0]?.();
  expect((await first).status).toBe(200);
  const third = send("/v1/messages", { body });
  await expect.poll(() => waiting.length).toBe(2);
  waiting[1]?.();
  expect((await third).status).toBe(200);
});

test("a run has a limit of requests in progress", async () => {
  const waiting: (() => void)[] = [];
  const provider = await openProvider((response) => {
    waiting.push(() => sendJson(response, MESSAGE));
  });
  const { send } = await openGateway({ upstreams: anthropicAt(provider.url), limits: { maxConcurrentCalls: 2 } });
  const calls = [1, 2].map(() => send("/v1/messages", { body: messagesBody() }));
  await expect.poll(() => waiting.length).toBe(2);
  const third = await send("/v1/messages", { body: messagesBody() });
  expect([third.status, third.headers.get("x-should-retry")]).toEqual([429, "true"]);
  for (const respond of waiting) respond();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200]);
});
