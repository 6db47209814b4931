import {
  type BudgetAmount,
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  type SharedModelBudget,
  type StreamEvent,
  type Usage,
} from "@switchyard/contracts";
import { expect, test } from "vitest";
import { eventsOfResponse } from "../response/events-of-response.ts";
import { withSharedBudget } from "./with-shared-budget.ts";

const REQUEST: ModelRequest = {
  ...{ model: "house-model", maxTokens: 100 },
  messages: [{ role: "user", parts: [{ type: "text", text: "x".repeat(400) }] }],
};
const USAGE: Usage = { inputTokens: 90, outputTokens: 7, totalTokens: 97, costMicros: 500 };
const RESPONSE: ModelResponse = {
  ...{ id: "1", model: "house-model", provider: "acme", finishReason: { unified: "stop" }, usage: USAGE, warnings: [] },
  message: { role: "assistant", parts: [{ type: "text", text: "hello" }] },
};
const PRICES = { "acme/house-model": { input: 1, output: 10 } };

/** A budget that records reservations and settlements. */
function recordingBudget(limitsCost = false): SharedModelBudget & { log: unknown[] } {
  const log: unknown[] = [];
  return {
    ...{ limitsCost, log, refusal: () => undefined },
    reserve: async (amount: BudgetAmount) => {
      log.push({ reserved: amount });
      return { settle: (usage) => void log.push({ settled: usage }) };
    },
  };
}

function clientOf(stream: () => AsyncGenerator<StreamEvent>): Client {
  return { complete: async () => RESPONSE, stream, close: async () => undefined };
}

async function read(events: AsyncIterable<StreamEvent>, count = Number.POSITIVE_INFINITY): Promise<number> {
  let read = 0;
  for await (const _ of events) {
    read += 1;
    if (read === count) break;
  }
  return read;
}

test("each call reserves its largest amount and is settled with its usage", async () => {
  const budget = recordingBudget();
  const client = withSharedBudget(
    clientOf(() => eventsOf(RESPONSE)),
    budget,
    { provider: "acme", prices: PRICES },
  );
  expect(await client.complete(REQUEST)).toBe(RESPONSE);
  await read(client.stream(REQUEST));
  const [reserved, settled, ...streamed] = budget.log;
  expect(reserved).toEqual({ reserved: { tokens: expect.any(Number), costMicros: expect.any(Number) } });
  const { tokens, costMicros }: BudgetAmount = Object(Object(reserved).reserved);
  expect(tokens).toBeGreaterThan(200);
  expect(costMicros).toBe(tokens - 100 + 100 * 10);
  expect(settled).toEqual({ settled: USAGE });
  expect(streamed).toEqual([reserved, settled]);
});

test("a stream that ends early is charged for what was received, and a stream that never started is not charged", async () => {
  const budget = recordingBudget();
  const client = withSharedBudget(
    clientOf(() => eventsOf(RESPONSE)),
    budget,
    { provider: "acme", prices: PRICES },
  );
  await read(client.stream(REQUEST), 3);
  expect(budget.log.at(-1)).toMatchObject({ settled: { outputTokens: 2, costMicros: expect.any(Number) } });
  const failing = withSharedBudget(
    clientOf(async function* () {
      yield { type: "stream_start" };
      throw new Error("broken");
    }),
    budget,
    { provider: "acme" },
  );
  await expect(read(failing.stream(REQUEST))).rejects.toThrow("broken");
  expect(budget.log.at(-1)).toEqual({ settled: undefined });
});

test("a failed call is charged for the usage that its response had reported", async () => {
  const budget = recordingBudget();
  const failure = new EngineError("llm.server_error", { provider: "acme", usage: USAGE });
  const client = { ...clientOf(() => eventsOf(RESPONSE)), complete: () => Promise.reject(failure) };
  await expect(withSharedBudget(client, budget, { provider: "acme" }).complete(REQUEST)).rejects.toBe(failure);
  expect(budget.log.at(-1)).toEqual({ settled: USAGE });
});

test("usage without tokens, and a call that was aborted after it was sent, are charged by an estimate", async () => {
  const budget = recordingBudget();
  const free: ModelResponse = { ...RESPONSE, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };
  const options = { provider: "acme", prices: PRICES };
  const client = { ...clientOf(() => eventsOf(free)), complete: async () => free };
  await withSharedBudget(client, budget, options).complete(REQUEST);
  expect(Object(budget.log.at(-1)).settled.outputTokens).toBeGreaterThan(2);
  await read(withSharedBudget(client, budget, options).stream(REQUEST));
  expect(budget.log.at(-1)).toMatchObject({ settled: { outputTokens: 2, costMicros: expect.any(Number) } });
  const abort = new AbortController();
  const aborted = async (): Promise<never> => {
    abort.abort();
    throw new Error("aborted");
  };
  const aborting = { ...client, complete: aborted };
  await expect(
    withSharedBudget(aborting, budget, options).complete({ ...REQUEST, signal: abort.signal }),
  ).rejects.toThrow("aborted");
  expect(Object(budget.log.at(-1)).settled).toMatchObject({ outputTokens: 0, costMicros: expect.any(Number) });
  expect(Object(budget.log.at(-1)).settled.inputTokens).toBeGreaterThan(100);
});

test("a call reserves at most the output that a model can generate", async () => {
  const budget = recordingBudget();
  const client = withSharedBudget(
    clientOf(() => eventsOf(RESPONSE)),
    budget,
    { provider: "acme", prices: PRICES },
  );
  await client.complete({ ...REQUEST, maxTokens: 1e308 });
  expect(Object(budget.log[0]).reserved.tokens).toBeLessThan(1_000_000);
});

test("a budget that limits the cost refuses models without a known price, before the call", async () => {
  const budget = recordingBudget(true);
  const client = withSharedBudget(
    clientOf(() => eventsOf(RESPONSE)),
    budget,
    { provider: "acme" },
  );
  await expect(client.complete(REQUEST)).rejects.toMatchObject({ code: "budget.price_unknown" });
  await expect(read(client.stream(REQUEST))).rejects.toMatchObject({ code: "budget.price_unknown" });
  expect(budget.log).toEqual([]);
});

async function* eventsOf(response: ModelResponse): AsyncGenerator<StreamEvent> {
  yield* eventsOfResponse(response);
}
