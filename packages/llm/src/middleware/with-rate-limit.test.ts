import { EngineError, type ModelRequest, type ModelResponse } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, failureOf, fakeClient, readAll } from "../../test/fake-client.ts";
import { createRateWindow } from "./rate-window.ts";
import { type RateLimitOptions, withRateLimit } from "./with-rate-limit.ts";

/** A clock that changes only when the test advances it. */
function manualTime(): Required<Pick<RateLimitOptions, "now" | "schedule">> & {
  advance: (byMs: number) => Promise<void>;
} {
  let nowMs = 0;
  const timers = new Set<{ atMs: number; run: () => void }>();
  return {
    now: () => nowMs,
    schedule(run, delayMs) {
      const timer = { atMs: nowMs + delayMs, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(byMs) {
      nowMs += byMs;
      for (const timer of timers) {
        if (timer.atMs > nowMs) continue;
        timers.delete(timer);
        timer.run();
      }
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A client whose answers wait until they are released. */
function slowClient(): ReturnType<typeof fakeClient> & { release: () => Promise<void> } {
  const open: (() => void)[] = [];
  const client = fakeClient(
    ({ model }) => new Promise<ModelResponse>((resolve) => open.push(() => resolve(answer(model)))),
  );
  return Object.assign(client, {
    async release() {
      open.shift()?.();
      await settled();
    },
  });
}

const request = (model: string, more: Partial<ModelRequest> = {}): ModelRequest => ({ model, messages: [], ...more });
const modelsOf = (client: { requests: ModelRequest[] }): string[] => client.requests.map(({ model }) => model);

test("no more calls at the same time than allowed, in the order in which they came [client-middleware-2]", async () => {
  const client = slowClient();
  const limited = withRateLimit(client, { maxConcurrency: 2 });
  const calls = ["a", "b", "c", "d"].map((model) => limited.complete(request(model)));
  await settled();
  expect(modelsOf(client)).toEqual(["a", "b"]);
  await client.release();
  expect(modelsOf(client)).toEqual(["a", "b", "c"]);
  for (let index = 0; index < 3; index += 1) await client.release();
  expect((await Promise.all(calls)).map(({ id }) => id)).toEqual(["answer-a", "answer-b", "answer-c", "answer-d"]);
});

test("a failed call and an abandoned stream release their slots", async () => {
  const client = fakeClient((_request, index) => {
    if (index === 0) throw new EngineError("llm.network", {});
    return answer("x");
  });
  const limited = withRateLimit(client, { maxConcurrency: 1 });
  await failureOf(limited.complete(request("a")));
  for await (const _ of limited.stream(request("b"))) break;
  expect((await readAll(limited.stream(request("c")))).response).toEqual(answer("x"));
  expect(client.ended).toBe(2);
});

test("requests per minute wait for the window", async () => {
  const time = manualTime();
  const client = fakeClient(() => answer("x"));
  const limited = withRateLimit(client, { requestsPerMinute: 2, ...time });
  const calls = ["a", "b", "c"].map((model) => limited.complete(request(model)));
  await settled();
  expect(modelsOf(client)).toEqual(["a", "b"]);
  await time.advance(59_999);
  expect(modelsOf(client)).toEqual(["a", "b"]);
  await time.advance(1);
  await Promise.all(calls);
  expect(modelsOf(client)).toEqual(["a", "b", "c"]);
});

test("tokens per minute count the usage of responses, and an estimate until then", async () => {
  const time = manualTime();
  const client = slowClient();
  const limited = withRateLimit(client, { tokensPerMinute: 20, estimateTokens: () => 12, ...time });
  const calls = ["a", "b", "c"].map((model) => limited.complete(request(model)));
  await settled();
  expect(modelsOf(client)).toEqual(["a"]);
  await time.advance(10_000);
  await client.release(); // 15 tokens: 12 more do not fit
  expect(modelsOf(client)).toEqual(["a"]);
  await time.advance(50_000);
  expect(modelsOf(client)).toEqual(["a", "b"]);
  await client.release();
  await time.advance(60_000);
  await client.release();
  await Promise.all(calls);
  expect(modelsOf(client)).toEqual(["a", "b", "c"]);
});

test("a request larger than the limit is sent when no other is active", async () => {
  const client = fakeClient(() => answer("x"));
  const limited = withRateLimit(client, { tokensPerMinute: 1, estimateTokens: () => 1000 });
  expect((await limited.complete(request("a"))).id).toBe("answer-x");
});

test("an abort ends the wait, and the next waiting call moves up", async () => {
  const client = slowClient();
  const limited = withRateLimit(client, { maxConcurrency: 1 });
  const controller = new AbortController();
  const first = limited.complete(request("a"));
  const second = limited.complete(request("b", { signal: controller.signal }));
  const third = limited.complete(request("c"));
  await settled();
  controller.abort();
  expect(await failureOf(second)).toMatchObject({ code: "llm.aborted" });
  await client.release();
  await client.release();
  await Promise.all([first, third]);
  expect(modelsOf(client)).toEqual(["a", "c"]);
  expect(await failureOf(limited.complete(request("d", { signal: AbortSignal.abort() })))).toMatchObject({
    code: "llm.aborted",
  });
});

test.each([{ requestsPerMinute: 0 }, { tokensPerMinute: -1 }, { maxConcurrency: Number.NaN }])(
  "%j is refused, because no call would ever pass",
  (limits) => {
    expect(() =>
      withRateLimit(
        fakeClient(() => answer("x")),
        limits,
      ),
    ).toThrow(EngineError);
  },
);

test("no minute ever contains more than the limit", () => {
  const step = fc.record({ amount: fc.integer({ min: 1, max: 10 }), afterMs: fc.nat(40_000) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 10, max: 30 }), (steps, limit) => {
      const window = createRateWindow(limit);
      const spent: { atMs: number; amount: number }[] = [];
      let nowMs = 0;
      for (const { amount, afterMs } of steps) {
        nowMs += afterMs;
        nowMs = Math.max(nowMs, window.fitsAt(amount, nowMs));
        window.spend(amount, nowMs);
        spent.push({ atMs: nowMs, amount });
      }
      for (const { atMs } of spent) {
        const minute = spent.filter((entry) => entry.atMs <= atMs && entry.atMs > atMs - 60_000);
        expect(minute.reduce((sum, entry) => sum + entry.amount, 0)).toBeLessThanOrEqual(limit);
      }
    }),
  );
});
