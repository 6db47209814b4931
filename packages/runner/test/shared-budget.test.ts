import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEPENDENCY, type Engine, isExecutionEnvironment, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { type BudgetAccount, type BudgetLedger, createBudgetLedger, openRunBudget } from "@switchyard/stores/budget";
import { createMemoryStore } from "@switchyard/stores/memory";
import { expect, onTestFinished, test } from "vitest";
import { createModelAccess, openAgentEngine, type StartSessionOptions, startSession } from "../src/index.ts";
import { deferred, task, temporaryWorkspace } from "./temporary-session.ts";

const USAGE = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const DONE = { exit_code: 0, final_message: "Done." };

/** Starts a server with OpenAI's Chat Completions API. Returns its base URL and the number of calls. */
async function startProvider(): Promise<{ url: string; calls: () => number }> {
  let calls = 0;
  const server = createServer((request, response) => {
    calls += 1;
    request.resume();
    const head = { id: "1", model: "gpt-6.2-sol", usage: USAGE };
    if (request.headers["x-plain"] !== undefined) {
      const choice = { index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" };
      response.writeHead(200, { "content-type": "application/json" });
      return void response.end(JSON.stringify({ ...head, choices: [choice] }));
    }
    const choice = { index: 0, delta: { content: "Done." }, finish_reason: "stop" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ ...head, choices: [choice] })}\n\ndata: [DONE]\n\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, "port"> = Object(server.address());
  return { url: `http://127.0.0.1:${port}/v1`, calls: () => calls };
}

/** Opens a ledger, and the option of a session that uses it. */
function openLedger(limits: BudgetAccount["limits"]): {
  readonly ledger: BudgetLedger;
  readonly shared: Pick<StartSessionOptions, "openSharedBudget">;
} {
  const { documents } = createMemoryStore();
  if (documents === undefined) throw new Error("The store has no documents.");
  const ledger = createBudgetLedger(documents);
  return { ledger, shared: { openSharedBudget: () => openRunBudget(ledger, [{ name: "user", limits }]) } };
}

/** Creates an engine that makes calls through the gateway until one is refused. */
function gatewayEngine(url: string): Engine {
  const access = createModelAccess({ env: { OPENAI_API_KEY: "sk-test-0123456789abcdef", OPENAI_BASE_URL: url } });
  return defineEngine(
    async (run, host, board) => {
      const environment = getDependency(run.deps, DEPENDENCY.environment, isExecutionEnvironment);
      const opened = await access.open({ run, host, environment });
      if (opened === undefined) throw new Error("There is no access.");
      const headers = {
        ...{ "content-type": "application/json", "x-plain": "1" },
        authorization: `Bearer ${opened.token.reveal()}`,
      };
      const body = JSON.stringify({
        model: "gpt-6.2-sol",
        max_tokens: 200,
        messages: [{ role: "user", content: "Hi" }],
      });
      try {
        for (let isAllowed = true; isAllowed; ) {
          const answer = await fetch(`${opened.baseUrl}/v1/chat/completions`, { method: "POST", headers, body });
          await answer.arrayBuffer();
          isAllowed = answer.status === 200;
        }
        opened.signal?.throwIfAborted();
        board.set(SESSION_RESULT, DONE);
      } finally {
        await opened.close();
      }
    },
    { name: "caller", requiredDependencies: [DEPENDENCY.environment] },
  );
}

test("calls through the gateway end when runs together have used the budget of the day", async () => {
  using workspace = temporaryWorkspace();
  const { url, calls } = await startProvider();
  const { ledger, shared } = openLedger({ tokensPerDay: 500 });
  const engine = gatewayEngine(url);
  const started = [1, 2].map(() => startSession(task(), workspace.options({ engine, ...shared })));
  const reports = await Promise.all(started.map(async (one) => (await one).result));
  for (const report of reports) {
    expect(report).toMatchObject({ status: "error", error: { code: "budget.day_exceeded" } });
  }
  expect(calls()).toBe(5);
  expect((await ledger.report()).accounts).toMatchObject([{ name: "user", tokens: 550, reservedTokens: 0, runs: 0 }]);
  await expect(startSession(task(), workspace.options({ engine, ...shared }))).rejects.toMatchObject({
    code: "budget.day_exceeded",
    details: { account: "user", used: 550, limit: 500 },
  });
});

test("the built-in agent reserves its calls, and its usage counts once", async () => {
  using workspace = temporaryWorkspace();
  const { url, calls } = await startProvider();
  const { ledger, shared } = openLedger({ costMicrosPerDay: 150 });
  const model = "openai-compatible/gpt-6.2-sol";
  const prices = { [model]: { input: 1, output: 2 } };
  await using engine = await openAgentEngine({ model, baseUrl: url, env: {}, prices });
  const run = async () => (await startSession(task(), workspace.options({ engine, model, ...shared }))).result;
  expect(await run()).toMatchObject({ status: "completed", usage: { totalTokens: 110, costMicros: 120 } });
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 110, costMicros: 120, reservedTokens: 0 }]);
  expect((await run()).status).toBe("completed");
  await expect(run()).rejects.toMatchObject({ code: "budget.day_exceeded" });
  expect(calls()).toBe(2);
});

test("the built-in agent makes no call of a model whose price is unknown if the cost is limited", async () => {
  using workspace = temporaryWorkspace();
  const { url, calls } = await startProvider();
  const { shared } = openLedger({ costMicrosPerDay: 150 });
  const model = "openai-compatible/house-model";
  await using engine = await openAgentEngine({ model, baseUrl: url, env: {} });
  const started = await startSession(task(), workspace.options({ engine, model, ...shared }));
  expect(await started.result).toMatchObject({ status: "error", error: { code: "budget.price_unknown" } });
  expect(calls()).toBe(0);
});

test("usage that an engine reports itself counts, and a run that cannot start holds no place", async () => {
  using workspace = temporaryWorkspace();
  const { ledger, shared } = openLedger({ tokensPerDay: 5, concurrentRuns: 1 });
  const refused = deferred();
  let reported = 0;
  const engine = defineEngine(async (_run, host, board) => {
    await refused.promise;
    for (; reported < 10; reported += 1) {
      await host.reportUsage({ inputTokens: 1, outputTokens: 1, totalTokens: 2, responseId: `r${reported}` });
    }
    board.set(SESSION_RESULT, DONE);
  });
  const invalid = workspace.options({ engine, ...shared, runId: "first" });
  const first = await startSession(task(), invalid);
  await expect(startSession(task(), workspace.options({ engine, ...shared }))).rejects.toMatchObject({
    code: "budget.too_many_runs",
  });
  refused.resolve();
  expect(await first.result).toMatchObject({ status: "error", error: { code: "budget.day_exceeded" } });
  expect(reported).toBe(2);
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 6, runs: 0 }]);
  const free = openLedger({ concurrentRuns: 1 });
  await expect(startSession(task(), { ...invalid, ...free.shared })).rejects.toMatchObject({ code: "run.conflict" });
  expect((await free.ledger.report()).accounts).toEqual([]);
});

test("invalid numbers that an engine reports do not damage the budget, and unknown costs are a warning", async () => {
  using workspace = temporaryWorkspace();
  const { ledger, shared } = openLedger({ costMicrosPerDay: 100 });
  const engine = defineEngine(async (_run, host, board) => {
    for (const count of [-5, Number.NaN, Number.POSITIVE_INFINITY, 2]) {
      await host.reportUsage({ inputTokens: count, outputTokens: 0, totalTokens: count });
    }
    board.set(SESSION_RESULT, DONE);
  });
  const published: unknown[] = [];
  const observer = { publish: async (event: unknown) => void published.push(event) };
  const run = async () => (await startSession(task(), workspace.options({ engine, observer, ...shared }))).result;
  expect((await run()).status).toBe("completed");
  expect((await run()).status).toBe("completed");
  expect((await ledger.report()).accounts).toMatchObject([{ tokens: 4, runs: 0 }]);
  const warnings = published.filter((event) => JSON.stringify(event).includes("budget_without_effect"));
  expect(warnings).toHaveLength(2);
});
