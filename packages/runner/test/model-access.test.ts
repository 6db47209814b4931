import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  DEPENDENCY,
  type Engine,
  EngineError,
  errorRow,
  type Host,
  isExecutionEnvironment,
  NO_USAGE,
  type Run,
  SESSION_RESULT,
} from "@switchyard/contracts";
import { defineEngine, getDependency, type ModelAccess } from "@switchyard/engine";
import { createMemoryEnvironment } from "@switchyard/environment/memory";
import { openFileStore } from "@switchyard/stores/file";
import { expect, onTestFinished, test } from "vitest";
import { createModelAccess, type ModelSources, openRunReplay, startSession } from "../src/index.ts";
import { collect, deferred, task, temporaryWorkspace } from "./temporary-session.ts";

const KEY = "sk-canary-of-the-provider-0123456789";
const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

/** Starts a server with OpenAI's Chat Completions API. Returns its base URL and the keys that it received. */
async function startProvider(): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    request.resume();
    response.writeHead(200, { "content-type": "application/json" });
    const choice = { index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" };
    response.end(JSON.stringify({ id: "1", model: "gpt-6.2-sol", choices: [choice], usage: USAGE }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return { url: `http://127.0.0.1:${port}/v1`, keys };
}

/** Calls a model. Returns the HTTP status, or 0 if the connection fails. */
async function call(baseUrl: string, token: string, model = "gpt-6.2-sol"): Promise<number> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] });
  const answer = await fetch(`${baseUrl}/v1/chat/completions`, { method: "POST", headers, body }).catch(
    () => undefined,
  );
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
}

/** Calls the given models, one after the other. */
async function callAll({ baseUrl, token }: ModelAccess, models: readonly string[]): Promise<string> {
  const statuses: number[] = [];
  for (const model of models) statuses.push(await call(baseUrl, token.reveal(), model));
  return statuses.join(" ");
}

type Work = (access: ModelAccess, run: Run) => Promise<string>;

/** Creates an engine that works with access to models, and whose final message is the result of its work. */
function engineWith(open: (run: Run, host: Host) => Promise<ModelAccess | undefined>, work: Work): Engine {
  return defineEngine(
    async (run, host, board) => {
      const access = await open(run, host);
      if (access === undefined) throw new Error("There is no access.");
      try {
        const message = await work(access, run);
        access.signal?.throwIfAborted();
        board.set(SESSION_RESULT, { exit_code: 0, final_message: message });
      } finally {
        await access.close();
      }
    },
    { name: "caller", supportsResume: true, emitsCheckpoint: true, requiredDependencies: [DEPENDENCY.environment] },
  );
}

async function openHost(
  provider?: string,
  more: Partial<ModelSources> = {},
): Promise<{ keys: unknown[]; open: Parameters<typeof engineWith>[0] }> {
  const { url, keys } = await startProvider();
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url };
  const access = createModelAccess({ env, provider, ...more });
  const environmentOf = ({ deps }: Run) => getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
  return { keys, open: (run, host) => access.open({ run, host, environment: environmentOf(run) }) };
}

test("an engine that uses another run's or an expired token is refused, with events, and other runs are unharmed", async () => {
  using workspace = temporaryWorkspace();
  const { keys, open } = await openHost("openai");
  const [opened, attacked, unused] = [deferred<ModelAccess>(), deferred(), deferred<ModelAccess>()];
  const honest = engineWith(open, async (access) => {
    opened.resolve(access);
    const first = await call(access.baseUrl, access.token.reveal());
    await attacked.promise;
    return `${first} ${await call(access.baseUrl, access.token.reveal())}`;
  });
  const hostile = engineWith(open, async ({ baseUrl, token }) => {
    const other = await opened.promise;
    const statuses = [
      await call(baseUrl, other.token.reveal()),
      await call(other.baseUrl, token.reveal()),
      await call(baseUrl, "guessed"),
      await call(baseUrl, token.reveal(), "claude-sonnet-5-5"),
    ];
    attacked.resolve();
    return statuses.join(" ");
  });
  const idle = engineWith(open, async (access) => {
    unused.resolve(access);
    return "";
  });
  const [first, second, third] = await Promise.all(
    [honest, hostile, idle].map((engine) => startSession(task(), workspace.options({ engine }))),
  );
  const [harmed, attack] = [await first?.result, await second?.result];
  expect(harmed).toMatchObject({
    status: "completed",
    result: { final_message: "200 200" },
    usage: { totalTokens: 220 },
  });
  expect(attack?.result?.final_message).toBe("401 401 401 200");
  expect(keys).toEqual(Array(3).fill(`Bearer ${KEY}`));
  const events = second === undefined ? [] : await collect(second.events());
  const refusals = events.flatMap(({ type, payload }) => (type === "model_request_refused" ? [payload] : []));
  expect(refusals).toMatchObject([
    { code: "gateway.token_unknown", is_foreign_token: true },
    { code: "gateway.token_unknown", is_foreign_token: false },
  ]);
  const { baseUrl, token, measuredUsage } = await opened.promise;
  expect(await call(baseUrl, token.reveal())).toBe(0);
  expect(measuredUsage?.()).toMatchObject({ inputTokens: 200, outputTokens: 20, totalTokens: 220 });
  await third?.result;
  expect((await unused.promise).measuredUsage?.()).toEqual(NO_USAGE);
});

test("a run whose budget is used up ends with budget.exceeded, after the calls that it may make", async () => {
  using workspace = temporaryWorkspace();
  const { keys, open } = await openHost();
  const engine = engineWith(open, async ({ baseUrl, token }) => {
    const statuses: number[] = [];
    for (let calls = 0; calls < 4; calls += 1) statuses.push(await call(baseUrl, token.reveal()));
    return statuses.join(" ");
  });
  const limited = await startSession(task(), workspace.options({ engine, budget: { modelCalls: 2 } }));
  expect(await limited.result).toMatchObject({ error: { code: "budget.exceeded" }, usage: { totalTokens: 220 } });
  expect(keys).toHaveLength(2);
});

test.each([
  { which: "the model that its engine was told to use", model: "openai/m", statuses: "200 403 403" },
  { which: "that model at each provider, if only its name is known", model: "m", statuses: "200 403 403" },
  { which: "every model of its provider, if its engine selects models itself", statuses: "200 200 200" },
  { which: "every model of its provider, if the model belongs to another", model: "gemini/m", statuses: "200 200 200" },
  {
    which: "those that the host allows",
    model: "openai/m",
    allowed: ["openai/m-*", "gemini/m"],
    statuses: "403 200 403",
  },
])("a run may call $which", async ({ model, allowed, statuses }) => {
  using workspace = temporaryWorkspace();
  const { url } = await startProvider();
  const access = createModelAccess({ env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }, allowedModels: allowed });
  const engine = engineWith(
    (run, host) => access.open({ run, host, model }),
    (opened) => callAll(opened, ["m", "m-large", "other"]),
  );
  const session = await startSession(task(), workspace.options({ engine }));
  expect((await session.result).result?.final_message).toBe(statuses);
});

test("a run whose provider offers none of the allowed models fails", async () => {
  using workspace = temporaryWorkspace();
  const { open } = await openHost("openai", { allowedModels: ["gemini/m"] });
  const session = await startSession(task(), workspace.options({ engine: engineWith(open, async () => "") }));
  expect((await session.result).error).toMatchObject({
    code: "config.invalid",
    message: expect.stringContaining("none of them is a model of openai"),
  });
});

test("a run with a cost budget may call a model without a list price if the host knows its price", async () => {
  using workspace = temporaryWorkspace();
  const prices = { "openai/own-model": { input: 1, output: 10 } };
  const spend = async (more: Partial<ModelSources>) => {
    const { open } = await openHost("openai", more);
    const engine = engineWith(open, (access) => callAll(access, ["own-model"]));
    const session = await startSession(task(), workspace.options({ engine, budget: { costMicros: 1_000_000 } }));
    return await session.result;
  };
  expect(await spend({ prices })).toMatchObject({ result: { final_message: "200" }, usage: { costMicros: 200 } });
  expect((await spend({})).result?.final_message).toBe("402");
});

test("a cancelled run loses its access, even if the engine continues", async () => {
  using workspace = temporaryWorkspace();
  const { open } = await openHost();
  const [opened, ended] = [deferred<ModelAccess>(), deferred()];
  const engine = engineWith(open, async (access) => {
    opened.resolve(access);
    await ended.promise;
    return "";
  });
  const cancel = new AbortController();
  const options = workspace.options({ engine, signal: cancel.signal, cancelGraceMs: 1 });
  const session = await startSession(task(), options);
  const { baseUrl, token } = await opened.promise;
  expect(await call(baseUrl, token.reveal())).toBe(200);
  cancel.abort();
  await session.result;
  expect(await call(baseUrl, token.reveal())).toBe(0);
  ended.resolve();
});

test("an engine whose environment cannot reach the gateway is refused before it starts, so it never gets the API key", async () => {
  using workspace = temporaryWorkspace();
  const { keys, open } = await openHost("openai");
  let hasStarted = false;
  const engine = engineWith(open, async () => {
    hasStarted = true;
    return "";
  });
  const environment = createMemoryEnvironment();
  const { result } = await startSession(task(), workspace.options({ engine, environment }));
  const { status, error } = await result;
  expect(status).toBe("error");
  expect(error).toMatchObject({
    code: "gateway.unreachable",
    retryable: false,
    message: expect.stringContaining("memory"),
  });
  expect(errorRow("gateway.unreachable")).toMatchObject({ exitCode: 2, remedy: expect.stringContaining("--direct") });
  expect([hasStarted, keys]).toEqual([false, []]);
});

test("the model calls of all attempts of a run are recorded, and replayed without a provider", async () => {
  using workspace = temporaryWorkspace();
  const { keys, open } = await openHost("openai");
  let attempts = 0;
  const work: Work = async ({ baseUrl, token }) => {
    const status = await call(baseUrl, token.reveal());
    attempts += 1;
    if (attempts === 1) throw new EngineError("gateway.upstream_failed", { provider: "openai", problem: "it failed." });
    return `${status}`;
  };
  const timer = { monotonic: () => performance.now(), sleep: async () => undefined };
  const started = await startSession(
    task(),
    workspace.options({ engine: engineWith(open, work), retry: { maxAttempts: 2 }, timer }),
  );
  expect(await started.result).toMatchObject({ status: "completed", usage: { totalTokens: 220 } });
  const replay = await openRunReplay(await openFileStore({ directory: workspace.stateDirectory }).show(started.runId));
  if (replay.kind !== "engine") throw new Error("It is not a replay of an engine that used the gateway.");
  expect([replay.calls, keys.length]).toEqual([2, 2]);
  const access = replay.createModelAccess({ workspace: workspace.root });
  expect(() => access.assertFinished()).toThrow(expect.objectContaining({ code: "cassette.unused" }));
  const twice = engineWith(
    (run, host) => access.open({ run, host }),
    async ({ baseUrl, token }) =>
      [
        await call(baseUrl, token.reveal()),
        await call(baseUrl, token.reveal()),
        await call(baseUrl, token.reveal()),
      ].join(),
  );
  const replayed = await startSession(task(), workspace.options({ engine: twice }));
  expect(await replayed.result).toMatchObject({
    result: { final_message: "200,200,400" },
    usage: { totalTokens: 220 },
  });
  expect(() => access.assertFinished()).toThrow(expect.objectContaining({ code: "cassette.exhausted" }));
  expect(keys).toHaveLength(2);
});

test("a run uses a key that was added or replaced after the access was created", async () => {
  using workspace = temporaryWorkspace();
  const { url, keys } = await startProvider();
  const env: Record<string, string> = {};
  const access = createModelAccess({ env });
  const engine = engineWith(
    (run, host) => access.open({ run, host }),
    async ({ baseUrl, token }) => `${await call(baseUrl, token.reveal())}`,
  );
  const messages: unknown[] = [];
  const added = [{}, { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: url }, { OPENAI_API_KEY: `${KEY}-new` }];
  for (const variables of added) {
    Object.assign(env, variables);
    const { result } = await startSession(task(), workspace.options({ engine }));
    messages.push((await result).result?.final_message);
  }
  expect(messages).toEqual([undefined, "200", "200"]);
  expect(keys).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}-new`]);
});

test("without an API key, and for calls that cannot be redirected, there is no access", async () => {
  using workspace = temporaryWorkspace();
  const found: unknown[] = [];
  const engine = defineEngine(
    async (run, host, board) => {
      const none = createModelAccess({ env: {} });
      const keyed = createModelAccess({ env: { OPENAI_API_KEY: KEY } });
      const routes = [
        { provider: "gemini", apis: [] },
        { apis: [], directReason: "it has no setting" },
      ];
      found.push(await none.open({ run, host }));
      for (const route of routes) found.push(await keyed.open({ run, host, route }));
      found.push(await none.providers(), await keyed.providers(), await keyed.providers("gemini"));
      board.set(SESSION_RESULT, { exit_code: 0, final_message: "" });
    },
    { name: "asking" },
  );
  await (await startSession(task(), workspace.options({ engine }))).result;
  expect(found).toEqual([undefined, undefined, undefined, [], ["openai"], []]);
});
