import { type BudgetAmount, EngineError, type SharedModelBudget, type Usage } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { anthropicAt, messagesBody, openGateway } from "./open-gateway.ts";
import { MESSAGE, openProvider, sendJson } from "./open-provider.ts";

test.each([
  ["calls", { calls: 3 }, 3],
  ["tokens", { tokens: 40 }, 3],
  ["cost", { costMicros: 200 }, 2],
  ["nothing", { calls: 0 }, 0],
])(
  "a budget of %s ends the run's calls, and the refusal is one that clients do not retry",
  async (_, budget, admitted) => {
    const provider = await openProvider((response) => sendJson(response, MESSAGE));
    const { send, events, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { budget });
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) {
      const response = await send("/v1/messages", { body: messagesBody() });
      statuses.push(response.status);
      if (response.status === 200) continue;
      expect(response.headers.get("x-should-retry")).toBe("false");
      expect(await response.json()).toMatchObject({ type: "error", error: { type: "billing_error" } });
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200].fill(402, admitted));
    expect(provider.requests).toHaveLength(admitted);
    expect(run.used()).toMatchObject({ calls: admitted, usage: { totalTokens: 15 * admitted } });
    expect(events.at(-1)).toMatchObject({ type: "model_request_refused", error: "gateway.budget_exceeded" });
  },
);

test("calls that do not fit beside others wait, so that concurrent calls exceed the budget by one at most", async () => {
  let inProgress = 0;
  let most = 0;
  const provider = await openProvider((response) => {
    inProgress += 1;
    most = Math.max(most, inProgress);
    setImmediate(() => {
      inProgress -= 1;
      sendJson(response, MESSAGE);
    });
  });
  const { send, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { budget: { tokens: 100 } });
  const responses = await Promise.all(Array.from({ length: 20 }, () => send("/v1/messages", { body: messagesBody() })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(7);
  expect(run.used().usage.totalTokens).toBe(105);
  expect(most).toBe(1);
});

test("a cost budget needs a known price", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const budget = { costMicros: 1_000_000 };
  const { send, gateway } = await openGateway({ upstreams: anthropicAt(provider.url) }, { budget });
  for (const more of [{ model: "house-model" }, { service_tier: "priority" }, { speed: "fast" }]) {
    const response = await send("/v1/messages", { body: messagesBody(more) });
    expect([response.status, response.headers.get("x-switchyard-error")]).toEqual([402, "gateway.price_unknown"]);
  }
  expect(provider.requests).toHaveLength(0);
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(200);
  const unlimited = await gateway.openRun({ runId: "run-2", budget: { tokens: 1_000 } });
  const headers = { "x-api-key": unlimited.token.reveal() };
  const body = JSON.stringify(messagesBody({ model: "house-model" }));
  expect((await fetch(`${unlimited.baseUrl}/v1/messages`, { method: "POST", headers, body })).status).toBe(200);
  await expect
    .poll(() => unlimited.used())
    .toEqual({
      calls: 1,
      usage: expect.objectContaining({ totalTokens: 15, model: "house-model" }),
    });
});

test("a failed call costs nothing but counts", async () => {
  const provider = await openProvider((response) => sendJson(response, { error: {} }, 400));
  const { send, run } = await openGateway({ upstreams: anthropicAt(provider.url) });
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(400);
  expect(run.used()).toMatchObject({ calls: 1, usage: { totalTokens: 0 } });
});

test("an engine that leaves before the usage is reported is charged for what it sent and received", async () => {
  const start = { type: "message_start", message: { id: "m", usage: { input_tokens: 40, output_tokens: 1 } } };
  const text = { type: "content_block_delta", delta: { type: "text_delta", text: "x".repeat(3_000) } };
  const provider = await openProvider((response, { body }) => {
    if (!body.includes('"stream":true')) return;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write([start, text].map((data) => `data: ${JSON.stringify(data)}\n\n`).join(""));
  });
  const { send, run, events } = await openGateway({ upstreams: anthropicAt(provider.url) });
  const left = await send("/v1/messages", { body: messagesBody({ stream: true, max_tokens: 90 }) });
  await left.body?.cancel();
  await expect
    .poll(() => events.at(-1))
    .toMatchObject({ usage: { inputTokens: 40, outputTokens: 90 }, isUsageEstimated: true });

  const leaving = new AbortController();
  const body = messagesBody({ system: "x".repeat(4_000) });
  const headers = { "x-api-key": run.token.reveal() };
  const { signal } = leaving;
  const sent = fetch(`${run.baseUrl}/v1/messages`, { method: "POST", headers, signal, body: JSON.stringify(body) });
  await expect.poll(() => provider.requests.length).toBe(2);
  leaving.abort();
  await expect(sent).rejects.toThrow();
  await expect.poll(() => events.at(-1)).toMatchObject({ error: "gateway.call_aborted", usage: { outputTokens: 0 } });
  expect(run.used().usage.totalTokens).toBeGreaterThan(130 + 1_000);
});

test("each attempt to which the provider does not respond in time is charged for what was sent", async () => {
  const provider = await openProvider(() => undefined);
  const shared = sharedBudget(9);
  const upstreams = anthropicAt(provider.url);
  const retry = { retries: 1, delay: async () => undefined };
  const { send, run, events } = await openGateway(
    { upstreams, limits: { upstreamTimeoutMs: 20 }, retry },
    { budget: { tokens: 2_000 }, sharedBudget: shared },
  );
  const body = messagesBody({ system: "x".repeat(4_000) });
  const inputTokens = 2 * Math.ceil(JSON.stringify(body).length / 4);
  expect((await send("/v1/messages", { body })).status).toBe(504);
  expect(events.at(-1)).toMatchObject({
    ...{ type: "model_call_ended", error: "gateway.upstream_timeout", isUsageEstimated: true },
    usage: { inputTokens, outputTokens: 0, costMicros: inputTokens * 3 },
  });
  const charged = [run.used().usage.totalTokens, ...shared.settled];
  expect([provider.requests.length, ...charged]).toEqual([2, inputTokens, inputTokens]);
  expect((await send("/v1/messages", { body })).status).toBe(402);
});

/** A shared budget of `left` calls. */
function sharedBudget(
  left: number,
  limitsCost = false,
): SharedModelBudget & { settled: (number | undefined)[]; reserved: BudgetAmount[] } {
  const settled: (number | undefined)[] = [];
  const reserved: BudgetAmount[] = [];
  let calls = 0;
  return {
    ...{ settled, reserved, limitsCost, refusal: () => undefined },
    reserve: async (amount) => {
      reserved.push(amount);
      calls += 1;
      if (calls > left) {
        throw new EngineError("budget.day_exceeded", {
          ...{ account: "owner:a", day: "2026-11-29", amount: "10 of 10 tokens" },
        });
      }
      let isOpen = true;
      return {
        settle: (usage: Pick<Usage, "totalTokens"> | undefined) => {
          if (isOpen) settled.push(usage?.totalTokens);
          isOpen = false;
        },
      };
    },
  };
}

test("a budget that is shared with other runs ends the run's calls, in the format of the API", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const shared = sharedBudget(2);
  const { send, run } = await openGateway({ upstreams: anthropicAt(provider.url) }, { sharedBudget: shared });
  const responses: Response[] = [];
  for (let call = 0; call < 3; call += 1) responses.push(await send("/v1/messages", { body: messagesBody() }));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 402]);
  const [, , refused] = responses;
  expect(refused?.headers.get("x-switchyard-error")).toBe("gateway.shared_budget_exceeded");
  expect(await refused?.json()).toMatchObject({
    type: "error",
    error: { type: "billing_error", message: expect.not.stringContaining("owner:a") },
  });
  expect(provider.requests).toHaveLength(2);
  expect(run.used()).toMatchObject({ calls: 2, usage: { totalTokens: 30 } });
  expect(shared.settled).toEqual([15, 15]);
});

test("a shared budget that limits the cost needs a known price", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const { send } = await openGateway({ upstreams: anthropicAt(provider.url) }, { sharedBudget: sharedBudget(9, true) });
  const response = await send("/v1/messages", { body: messagesBody({ model: "house-model" }) });
  expect([response.status, response.headers.get("x-switchyard-error")]).toEqual([402, "gateway.price_unknown"]);
  expect(provider.requests).toHaveLength(0);
});

test("a request reserves at most the output that its model can generate, whatever the request states", async () => {
  const provider = await openProvider((response) => sendJson(response, MESSAGE));
  const shared = sharedBudget(9);
  const { send } = await openGateway({ upstreams: anthropicAt(provider.url) }, { sharedBudget: shared });
  const body = messagesBody({ max_tokens: 1e308, n: 10 });
  expect((await send("/v1/messages", { body })).status).toBe(200);
  expect((await send("/v1/messages", { body: { ...body, model: "house-model", n: 1e308 } })).status).toBe(200);
  expect(shared.reserved).toHaveLength(2);
  for (const { tokens, costMicros } of shared.reserved) {
    expect(tokens).toBeLessThan(20_000_000);
    expect(Number.isFinite(costMicros)).toBe(true);
  }
});

test("a response without counted tokens is charged for its size", async () => {
  const provider = await openProvider((response) =>
    sendJson(response, { ...MESSAGE, usage: { input_tokens: 0, output_tokens: 0 } }),
  );
  const shared = sharedBudget(9);
  const { send } = await openGateway({ upstreams: anthropicAt(provider.url) }, { sharedBudget: shared });
  expect((await send("/v1/messages", { body: messagesBody() })).status).toBe(200);
  await expect.poll(() => shared.settled).toEqual([expect.any(Number)]);
  expect(shared.settled[0]).toBeGreaterThan(10);
});
