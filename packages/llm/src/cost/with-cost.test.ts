import {
  areRetriesExhausted,
  type Client,
  EngineError,
  type ModelResponse,
  markRetriesExhausted,
  NO_USAGE,
  type StreamEvent,
  type Usage,
} from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelPrices } from "../catalog/model-info.ts";
import { eventsOfResponse } from "../response/events-of-response.ts";
import { costOfUsage } from "./cost-of-usage.ts";
import type { CostOptions } from "./find-prices.ts";
import { withCost } from "./with-cost.ts";

const PRICES: ModelPrices = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };
const NOW = Date.UTC(2026, 10, 30, 23, 59);

function usage(more: Partial<Usage> = {}): Usage {
  return { inputTokens: 1000, outputTokens: 100, totalTokens: 1100, ...more };
}

function clientOf(provider: string, model: string, used: Usage): Client & { left: number } {
  const response: ModelResponse = {
    id: "1",
    model,
    provider,
    message: { role: "assistant", parts: [{ type: "text", text: "hello" }] },
    finishReason: { unified: "stop" },
    usage: used,
    warnings: [],
  };
  const client = {
    left: 0,
    complete: async () => response,
    async *stream(): AsyncGenerator<StreamEvent> {
      try {
        yield* eventsOfResponse(response);
      } finally {
        client.left += 1;
      }
    },
    close: async () => undefined,
  };
  return client;
}

async function costOf(client: Client, options: CostOptions = {}): Promise<unknown> {
  const request = { model: "any", messages: [] };
  const { usage } = await withCost(client, options).complete(request);
  let streamed: Usage = NO_USAGE;
  for await (const event of withCost(client, options).stream(request)) {
    if (event.type === "finish") streamed = event.response.usage;
  }
  expect(streamed).toEqual(usage);
  return usage.costMicros;
}

test("each kind of token has its own price, cached ones separately", () => {
  expect(costOfUsage(usage(), PRICES, NOW)).toBe(3000);
  expect(costOfUsage(usage({ cacheReadTokens: 600, cacheWriteTokens: 300 }), PRICES, NOW)).toBe(
    100 * 2 + 100 * 10 + 600 * 0.1 + 300 * 2.5,
  );
});

test("a long request costs the long price for all of its tokens", () => {
  const long = { aboveInputTokens: 1000, input: 4, output: 15, cacheRead: 0.2 };
  expect(costOfUsage(usage(), { ...PRICES, long }, NOW)).toBe(3000);
  expect(costOfUsage(usage({ inputTokens: 1001 }), { ...PRICES, long }, NOW)).toBe(1001 * 4 + 100 * 15);
  expect(
    costOfUsage(usage({ inputTokens: 1001 }), { ...PRICES, long: { aboveInputTokens: 1000 } }, NOW),
  ).toBeUndefined();
});

test("after its last day, a price is replaced by the announced one, or is unknown", () => {
  const until = "2026-11-30";
  expect(costOfUsage(usage(), { ...PRICES, until }, NOW)).toBe(3000);
  expect(costOfUsage(usage(), { ...PRICES, until }, NOW + 60_000)).toBeUndefined();
  expect(costOfUsage(usage(), { ...PRICES, until, next: { input: 4, output: 20 } }, NOW + 60_000)).toBe(6000);
});

test("missing data leaves the cost unknown, never 0 [client-catalog-1]", () => {
  expect(costOfUsage(usage({ cacheReadTokens: 1 }), { input: 2, output: 10 }, NOW)).toBeUndefined();
  expect(costOfUsage(usage({ cacheReadTokens: 0 }), { input: 2, output: 10 }, NOW)).toBe(3000);
  expect(costOfUsage({ ...NO_USAGE }, PRICES, NOW)).toBeUndefined();
  expect(costOfUsage(usage({ inputTokens: Number.NaN }), PRICES, NOW)).toBeUndefined();
});

test("the cost of two answers is the cost of their tokens together", () => {
  const tokens = fc.nat(1_000_000);
  fc.assert(
    fc.property(fc.tuple(tokens, tokens, tokens, tokens), ([a, b, c, d]) => {
      const one = costOfUsage(usage({ inputTokens: a + 1, outputTokens: b }), PRICES, NOW) ?? Number.NaN;
      const other = costOfUsage(usage({ inputTokens: c + 1, outputTokens: d }), PRICES, NOW) ?? Number.NaN;
      const both = costOfUsage(usage({ inputTokens: a + c + 2, outputTokens: b + d }), PRICES, NOW) ?? Number.NaN;
      expect(Math.abs(one + other - both)).toBeLessThan(0.01);
    }),
  );
});

test("answers of a vendor cost its list prices, streamed or not; the same model elsewhere is unknown [client-middleware-2]", async () => {
  const gpt = "gpt-5-2025-08-07";
  expect(await costOf(clientOf("openai", gpt, usage()))).toBe(1000 * 1.25 + 100 * 10);
  expect(await costOf(clientOf("openrouter", "gpt-5", usage()))).toBeUndefined();
  expect(await costOf(clientOf("openai", gpt, usage()), { listPrices: false })).toBeUndefined();
  expect(await costOf(clientOf("openai", "house-model", usage()))).toBeUndefined();
});

test.each([
  ["openai", "gpt-5", { serviceTier: "priority" }],
  ["openai", "gpt-5", { body: { service_tier: "flex" } }],
  ["anthropic", "claude-sonnet-4-5", { cacheControl: { type: "ephemeral", ttl: "1h" } }],
  ["anthropic", "claude-sonnet-4-5", { speed: "fast" }],
])("a feature for which %s charges differently has no list price: %s %j", async (provider, model, settings) => {
  const client = clientOf(provider, model, usage());
  const request = { model, messages: [] };
  const costWith = async (prices: object, options?: CostOptions): Promise<unknown> =>
    (await withCost(client, options).complete({ ...request, providerOptions: { [provider]: { ...prices } } })).usage
      .costMicros;
  expect(await costWith(settings)).toBeUndefined();
  expect(await costWith({ serviceTier: "auto", cacheControl: { ttl: "5m" } })).toBeGreaterThan(0);
  expect(await costWith(settings, { prices: { [model]: PRICES } })).toBe(3000);
});

test("given prices take precedence over the catalog; prices with the provider's name come first", async () => {
  const prices = { "gpt-5": PRICES, "openrouter/gpt-5": { input: 1, output: 1 } };
  expect(await costOf(clientOf("openai", "gpt-5", usage()), { prices })).toBe(3000);
  expect(await costOf(clientOf("openrouter", "gpt-5", usage()), { prices })).toBe(1100);
  expect(await costOf(clientOf("openai", "constructor", usage()), { prices })).toBeUndefined();
});

test("a cost reported by the provider is not changed", async () => {
  expect(await costOf(clientOf("openai", "gpt-5", usage({ costMicros: 5 })))).toBe(5);
});

test("leaving the stream ends the inner stream", async () => {
  const client = clientOf("openai", "gpt-5", usage());
  for await (const _ of withCost(client).stream({ model: "gpt-5", messages: [] })) break;
  expect(client.left).toBe(1);
});

test("a failure has the cost of the usage in its response, streamed or complete, and stays the same failure", async () => {
  const used = usage({ model: "house-1" });
  const failure = new EngineError("llm.server_error", { provider: "house", status: 503, problem: "no", usage: used });
  markRetriesExhausted(failure);
  const client: Client = {
    complete: () => Promise.reject(failure),
    async *stream(): AsyncGenerator<StreamEvent> {
      yield { type: "text_delta", textId: "1", text: "hel" };
      throw failure;
    },
    close: async () => undefined,
  };
  const priced = withCost(client, { prices: { "house/house-1": PRICES } });
  const request = { model: "any", provider: "house", messages: [] };
  const thrown = await priced.complete(request).catch((error: unknown) => error);
  const streamed = await (async () => {
    for await (const event of priced.stream(request)) expect(event.type).toBe("text_delta");
  })().catch((error: unknown) => error);
  for (const error of [thrown, streamed]) {
    if (!EngineError.is(error)) throw error;
    expect(error.details["usage"]).toEqual({ ...used, costMicros: 3000 });
    expect([error.code, error.message, error.retryable]).toEqual([failure.code, failure.message, failure.retryable]);
    expect(areRetriesExhausted(error)).toBe(true);
  }
});

test("a failure without usage or of an unknown price stays as it is", async () => {
  const errors = [
    new Error("odd"),
    new EngineError("llm.server_error", { provider: "house", status: 503, problem: "no" }),
    new EngineError("llm.server_error", { provider: "house", status: 503, problem: "no", usage: usage() }),
  ];
  for (const error of errors) {
    const client = { ...clientOf("house", "house-1", usage()), complete: () => Promise.reject(error) };
    await expect(withCost(client).complete({ model: "unknown-model", messages: [] })).rejects.toBe(error);
  }
});
