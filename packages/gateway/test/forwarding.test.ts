import { once } from "node:events";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ModelApi } from "@switchyard/contracts";
import { secret } from "@switchyard/secrets";
import { text as answer, type ModelApi as HostileApi, openHostileModelServer } from "@switchyard/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createModelGateway } from "../src/index.ts";
import { anthropicAt, KEY, messagesBody, openGateway } from "./open-gateway.ts";
import { MESSAGE, openProvider, sendJson } from "./open-provider.ts";

interface ApiCase {
  readonly api: ModelApi;
  readonly hostile: HostileApi;
  readonly path: (isStreamed: boolean) => string;
  readonly body: (isStreamed: boolean) => object;
}

const USER = [{ role: "user", content: "Hi." }];
const CASES: readonly ApiCase[] = [
  {
    ...{ api: "anthropic-messages", hostile: "anthropic", path: () => "/v1/messages?beta=true" },
    body: (stream) => ({ model: "hostile", max_tokens: 100, stream, messages: USER }),
  },
  {
    ...{ api: "openai-responses", hostile: "openai", path: () => "/v1/responses" },
    body: (stream) => ({ model: "hostile", stream, store: false, input: USER }),
  },
  {
    ...{ api: "openai-chat", hostile: "openai-chat", path: () => "/v1/chat/completions" },
    body: (stream) => ({ model: "hostile", stream, stream_options: { include_usage: true }, messages: USER }),
  },
  {
    ...{ api: "gemini", hostile: "gemini" },
    path: (isStreamed) => `/v1beta/models/hostile:${isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: () => ({ contents: [{ role: "user", parts: [{ text: "Hi." }] }] }),
  },
];

const STATUS = { kind: "status", status: 503 } as const;
const FAIL_ONCE = {
  seed: 1,
  completes: true,
  turns: [
    [
      { fault: STATUS, oddities: [], seed: 1 },
      { oddities: ["splits", "comments"], seed: 2 },
    ],
  ],
} as const;

test.each(CASES)("$api: a response is forwarded unchanged, and its usage is that of the provider", async (row) => {
  const server = await openHostileModelServer({ script: [answer("Hello, world. ".repeat(20))], plan: FAIL_ONCE });
  onTestFinished(() => server.close());
  const upstreams = { lab: { apiKey: secret(KEY), baseUrl: server.baseUrl(row.hostile), apis: [row.api] } };
  const { send, events, run } = await openGateway({ upstreams });
  for (const isStreamed of [true, false]) {
    const response = await send(row.path(isStreamed), { body: row.body(isStreamed) });
    expect(response.status).toBe(200);
    const received = await response.text();
    const direct = await fetch(`${server.url}${row.path(isStreamed)}`, {
      method: "POST",
      body: JSON.stringify(row.body(isStreamed)),
    });
    const number = server.ledger().requests.length;
    const later = await direct.text();
    // Only the number of the response, and the usage derived from it, differ.
    const plain = (text: string) =>
      text.replaceAll(/(resp_|\b\d)\d*/g, "0").replaceAll(/:(ping|keep-alive).*\n\n/g, "");
    expect(plain(received)).toBe(plain(later));
    expect(number).toBeGreaterThan(1);
  }
  const ended = events.filter((event) => event.type === "model_call_ended");
  const { requests } = server.ledger();
  // The direct requests of the test are the third and the fifth.
  expect(ended.map(({ usage }) => usage)).toMatchObject([requests[1]?.usage, requests[3]?.usage]);
  expect(ended).toMatchObject([{ api: row.api, status: 200, isUsageEstimated: false }, { error: undefined }]);
  expect(events[0]).toMatchObject({ type: "model_call_retried", attempt: 1, provider: "lab", model: "hostile" });
  expect(run.used().calls).toBe(2);
  expect(run.used().usage.totalTokens).toBe(
    [requests[1], requests[3]].reduce(
      (sum, one) => sum + (one?.usage?.inputTokens ?? 0) + (one?.usage?.outputTokens ?? 0),
      0,
    ),
  );
});

test("the provider gets its key in place of the token, and headers of the client except those of the connection", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { send, run } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const headers = {
    ...{ "x-api-key": run.token.reveal(), "anthropic-version": "2023-06-01", "anthropic-beta": "context-1m" },
    ...{ "user-agent": "acme/1", "x-forwarded-host": "evil.example", cookie: "a=b", "openai-project": "other" },
  };
  await (await send("/v1/messages?beta=true&key=&access_token=x", { body: messagesBody(), headers })).json();
  expect(provider.requests).toHaveLength(1);
  const [{ headers: received, path, body }] = [...provider.requests, { headers: {}, path: "", body: "" }];
  expect(path).toBe("/v1/messages?beta=true");
  expect(JSON.parse(body)).toEqual(messagesBody());
  expect(received).toMatchObject({ "x-api-key": KEY, "anthropic-beta": "context-1m", "user-agent": "acme/1" });
  expect(received).not.toHaveProperty("authorization");
  expect(JSON.stringify(received)).not.toContain(run.token.reveal());
  for (const name of ["x-forwarded-host", "cookie", "openai-project"]) expect(received).not.toHaveProperty(name);
});

test("token counts and model lists are forwarded, and cost nothing", async () => {
  const provider = await openProvider((response) => sendJson(response, { input_tokens: 7 }));
  const upstreams = {
    ...anthropicAt(provider.url),
    openai: { apiKey: secret(KEY), baseUrl: `${provider.url}/openai` },
    gemini: { apiKey: secret(KEY), baseUrl: `${provider.url}/google` },
  };
  const { send, run } = await openGateway({ upstreams }, { budget: { calls: 0 } });
  const anthropic = { "anthropic-version": "2023-06-01" };
  const model = { model: "m" };
  for (const [path, body, headers] of [
    ["/v1/messages/count_tokens?beta=true", model, anthropic],
    ["/v1/models?limit=1000", undefined, anthropic],
    ["/v1/models?client_version=1.2.3", undefined, {}],
    ["/v1/responses/input_tokens", model, {}],
    ["/v1beta/models/gemini-2.5-pro:countTokens", {}, {}],
    ["/v1beta/models?pageSize=50", undefined, {}],
  ] as const) {
    const response = await send(path, { body, headers });
    expect([path, response.status, await response.json()]).toEqual([path, 200, { input_tokens: 7 }]);
  }
  expect(provider.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /v1/messages/count_tokens?beta=true",
    "GET /v1/models?limit=1000",
    "GET /openai/models?client_version=1.2.3",
    "POST /openai/responses/input_tokens",
    "POST /google/models/gemini-2.5-pro:countTokens",
    "GET /google/models?pageSize=50",
  ]);
  expect(run.used()).toMatchObject({ calls: 0, usage: { totalTokens: 0 } });
});

test("a list of models comes from a provider that the run may use", async () => {
  const provider = await openProvider((response) => sendJson(response, { data: [] }));
  const upstreams = {
    openai: { apiKey: secret(KEY), baseUrl: `${provider.url}/openai` },
    compatible: { baseUrl: `${provider.url}/compatible`, apis: ["openai-chat"] as const },
    ...anthropicAt(provider.url),
  };
  const { gateway } = await openGateway({ upstreams });
  const pathsFor = async (models: readonly string[]): Promise<readonly string[]> => {
    const run = await gateway.openRun({ runId: "r", models });
    const seen = provider.requests.length;
    await fetch(`${run.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${run.token.reveal()}` } });
    return provider.requests.slice(seen).map(({ path }) => path);
  };
  expect(await pathsFor(["openai/*"])).toEqual(["/openai/models"]);
  expect(await pathsFor(["compatible/m"])).toEqual(["/compatible/models"]);
  expect(await pathsFor(["anthropic/*"])).toEqual(["/v1/models"]);
});

test("a failed model is replaced by its fallback, and only the name of the model changes", async () => {
  const provider = await openProvider((response, { body }) => {
    if (body.includes("claude-opus")) sendJson(response, { type: "error" }, 529);
    else sendJson(response, MESSAGE);
  });
  const { send, events, run } = await openGateway(
    { upstreams: anthropicAt(provider.url) },
    { models: ["claude-opus-4-1"], fallbacks: { "claude-opus-4-1": ["claude-sonnet-4-5"] } },
  );
  const sent =
    '{ "messages" : [{"content":"\\"model\\": é 1.0","role":"user"}], "max_tokens":1e2,\n "model" : "claude-opus-4-1"}';
  const response = await send("/v1/messages", { body: sent });
  expect(await response.json()).toEqual(MESSAGE);
  expect(provider.requests.map(({ body }) => body)).toEqual([
    ...[sent, sent, sent],
    sent.replace("claude-opus-4-1", "claude-sonnet-4-5"),
  ]);
  expect(events.at(-2)).toMatchObject({
    type: "model_fallback_used",
    from: "anthropic/claude-opus-4-1",
    to: "anthropic/claude-sonnet-4-5",
    problem: "it responded with HTTP 529.",
  });
  expect(events.at(-1)).toMatchObject({ model: "claude-sonnet-4-5", usage: { costMicros: 10 * 3 + 5 * 15 } });
  expect(run.used().usage.costMicros).toBe(105);
});

test("a fallback for all models replaces a model for the rest of the run, until it fails too", async () => {
  const statuses: Record<string, number> = { first: 401, second: 200 };
  const provider = await openProvider((response, { body }) => {
    const { model } = JSON.parse(body);
    sendJson(response, MESSAGE, statuses[model] ?? 404);
  });
  const upstreams = { ...anthropicAt(provider.url), openai: { apiKey: secret(KEY), baseUrl: provider.url } };
  const fallbacks = { "*": ["openai/of-another-api", "anthropic/second"] };
  const { send, events } = await openGateway({ upstreams }, { fallbacks });
  let seen = 0;
  const call = async (): Promise<string> => {
    const { status } = await send("/v1/messages", { body: messagesBody({ model: "first" }) });
    const models = provider.requests.slice(seen).map(({ body }) => JSON.parse(body).model);
    seen = provider.requests.length;
    return `${status} ${models}`;
  };
  expect([await call(), await call()]).toEqual(["200 first,second", "200 second"]);
  statuses["second"] = 403;
  expect(await call()).toBe("403 second");
  statuses["first"] = 200;
  expect(await call()).toBe("200 first");
  const used = events.flatMap((event) => (event.type === "model_fallback_used" ? [[event.from, event.to]] : []));
  expect(used).toEqual([["anthropic/first", "anthropic/second"]]);
});

test("after the first forwarded byte nothing is repeated, and the usage reported so far is charged", async () => {
  const start = { type: "message_start", message: { id: "m", usage: { input_tokens: 40, output_tokens: 1 } } };
  const provider = await openProvider((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`event: message_start\ndata: ${JSON.stringify(start)}\n\n`, () => response.destroy());
  });
  const { send, events } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const response = await send("/v1/messages", { body: messagesBody({ stream: true }) });
  await expect(response.text()).rejects.toThrow();
  await expect
    .poll(() => events)
    .toMatchObject([
      {
        type: "model_call_ended",
        error: "gateway.upstream_failed",
        usage: { inputTokens: 40 },
        isUsageEstimated: true,
      },
    ]);
  expect(provider.requests).toHaveLength(1);
});

test("a connection test needs no token, and is no request", async () => {
  const { run, events } = await openGateway({ upstreams: anthropicAt("http://127.0.0.1:1") });
  expect((await fetch(run.baseUrl, { method: "HEAD" })).status).toBe(200);
  expect((await fetch(run.baseUrl)).status).toBe(401);
  expect(events).toMatchObject([{ error: "gateway.token_missing" }]);
});

test("a run can have a Unix socket, which only its owner may open", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const folder = await mkdtemp(join(tmpdir(), "switchyard-gateway-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const socketPath = join(folder, "model.sock");
  const { gateway, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { socketPath });
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  const headers = { "x-api-key": run.token.reveal() };
  const sent = request(`${run.baseUrl}/v1/messages`, { method: "POST", socketPath, headers }).end(
    JSON.stringify(messagesBody()),
  );
  const [response] = await once(sent, "response");
  expect(await text(response)).toBe(JSON.stringify(MESSAGE));
  await expect(gateway.openRun({ runId: "run-2", socketPath })).rejects.toMatchObject({ code: "config.invalid" });
  await run.close();
  await expect(stat(socketPath)).rejects.toThrow("ENOENT");
});

test.each([
  ["upstreams", {}],
  ["upstreams.house.baseUrl", { house: {} }],
  ["upstreams.house.baseUrl", { house: { baseUrl: "file:///etc", apis: ["gemini"] } }],
  ["upstreams.house.apis", { house: { baseUrl: "http://127.0.0.1/v1" } }],
] as const)("invalid settings are rejected: %s", (field, upstreams) => {
  expect(() => createModelGateway({ upstreams })).toThrow(
    expect.objectContaining({ code: "config.invalid", details: expect.objectContaining({ field }) }),
  );
});
