import {
  type Client,
  EngineError,
  type ModelRequest,
  type ModelResponse,
  NO_USAGE,
  type RetryNotice,
  type RetryOptions,
  type StreamEvent,
} from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withRetry } from "./with-retry.ts";

const ANSWER: ModelResponse = {
  id: "1",
  model: "m",
  provider: "p",
  message: { role: "assistant", parts: [{ type: "text", text: "hi" }] },
  finishReason: { unified: "stop" },
  usage: { ...NO_USAGE },
  warnings: [],
};
const SERVER_ERROR = new EngineError("llm.server_error", { provider: "p", status: 500, problem: "boom" });
const DELTA: StreamEvent = { type: "text_delta", textId: "0", text: "h" };

/** A client whose attempts follow the list: an error, or a response at its end. */
function failing(errors: readonly unknown[], before: readonly StreamEvent[] = []): Client & { attempts: number } {
  const client = {
    attempts: 0,
    async complete(): Promise<ModelResponse> {
      const error = errors[client.attempts++];
      if (error !== undefined) throw error;
      return ANSWER;
    },
    async *stream(): AsyncGenerator<StreamEvent> {
      const error = errors[client.attempts++];
      if (error === undefined) {
        yield { type: "stream_start", id: String(client.attempts) };
        yield { type: "finish", response: ANSWER };
        return;
      }
      yield* before;
      throw error;
    },
    close: async () => undefined,
  };
  return client;
}

interface Waits {
  waited: number[];
  notices: RetryNotice[];
  options: RetryOptions;
  request: ModelRequest;
}

function waits(more: RetryOptions = {}): Waits {
  const waited: number[] = [];
  const notices: RetryNotice[] = [];
  const delay = async (delayMs: number): Promise<void> => void waited.push(delayMs);
  const request: ModelRequest = { model: "m", messages: [], onRetry: (notice) => notices.push(notice) };
  return { waited, notices, options: { random: () => 0.5, delay, ...more }, request };
}

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const collected: StreamEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

const codeOf = (error: unknown): unknown => (EngineError.is(error) ? error.code : error);

test("a call that fails twice succeeds at the third attempt, with doubling waits and a notice each [loop-9.11-2] [loop-B-8] [client-retry-1]", async () => {
  const { waited, notices, options, request } = waits();
  const client = failing([SERVER_ERROR, SERVER_ERROR]);
  expect(await withRetry(client, options).complete(request)).toEqual(ANSWER);
  expect(waited).toEqual([1000, 2000]);
  expect(notices.map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
    [1, 1000],
    [2, 2000],
  ]);
  expect(notices[0]?.error).toBe(SERVER_ERROR);
});

test("after the last retry the failure itself is raised", async () => {
  const { options, request } = waits();
  const client = failing([SERVER_ERROR, SERVER_ERROR, SERVER_ERROR]);
  await expect(withRetry(client, options).complete(request)).rejects.toBe(SERVER_ERROR);
  expect(client.attempts).toBe(3);
});

test.each([
  [0, [500, 1000]],
  [1, [1500, 3000]],
])("jitter moves the waits by half at most (random %d)", async (random, expected) => {
  const { waited, options, request } = waits({ random: () => random });
  await withRetry(failing([SERVER_ERROR, SERVER_ERROR]), options).complete(request);
  expect(waited).toEqual(expected);
});

test("no wait is longer than the cap [client-retry-3]", async () => {
  const { waited, options, request } = waits({ retries: 8, random: () => 1 });
  await withRetry(failing(new Array(8).fill(SERVER_ERROR)), options).complete(request);
  expect(Math.max(...waited)).toBe(60_000);
});

test("the wait requested by the provider is kept exactly, and the failure is raised immediately above the cap [client-retry-4]", async () => {
  const limited = (retryAfterMs: number): EngineError => new EngineError("llm.rate_limited", { retryAfterMs });
  const short = waits({ random: () => 1 });
  await withRetry(failing([limited(7000)]), short.options).complete(short.request);
  expect(short.waited).toEqual([7000]);
  const long = waits();
  const client = failing([limited(61_000)]);
  await expect(withRetry(client, long.options).complete(long.request)).rejects.toMatchObject({
    code: "llm.rate_limited",
  });
  expect([client.attempts, long.waited, long.notices]).toEqual([1, [], []]);
});

test.each([
  "llm.authentication",
  "llm.access_denied",
  "llm.not_found",
  "llm.invalid_request",
  "llm.context_length",
  "llm.quota_exceeded",
  "llm.content_filtered",
  "llm.aborted",
  "model.missing_key",
] as const)("%s is raised at once", async (code) => {
  const { options, request, notices } = waits();
  const client = failing([new EngineError(code)]);
  await expect(withRetry(client, options).complete(request)).rejects.toMatchObject({ code });
  expect([client.attempts, notices]).toEqual([1, []]);
});

test("an unknown failure is retried [client-errors-4]", async () => {
  const { options, request } = waits();
  expect(await withRetry(failing([new Error("odd")]), options).complete(request)).toEqual(ANSWER);
});

test("a stream that failed before its first piece is retried, and its start event is emitted once", async () => {
  const { options, request, notices } = waits();
  const opening: StreamEvent[] = [
    { type: "stream_start", id: "1" },
    { type: "text_start", textId: "0" },
  ];
  const events = await collect(withRetry(failing([SERVER_ERROR], opening), options).stream(request));
  expect(events.map((event) => event.type)).toEqual(["stream_start", "finish"]);
  expect(events[0]).toMatchObject({ id: "2" });
  expect(notices).toHaveLength(1);
});

test("a stream is never started again after a part was delivered [client-retry-5]", async () => {
  const { options, request, notices } = waits();
  const client = failing([SERVER_ERROR], [{ type: "stream_start" }, { type: "text_start", textId: "0" }, DELTA]);
  const seen: StreamEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of withRetry(client, options).stream(request)) seen.push(event);
  };
  expect(codeOf(await read().catch((error: unknown) => error))).toBe("llm.server_error");
  expect(seen.map((event) => event.type)).toEqual(["stream_start", "text_start", "text_delta"]);
  expect([client.attempts, notices]).toEqual([1, []]);
});

test("for any requested wait and any number of failures, waits conform to the policy [client-retry-2]", async () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const requested = fc.option(fc.oneof(fc.nat(90_000), fc.constantFrom(Number.NaN, -5, Number.POSITIVE_INFINITY)), {
    nil: undefined,
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(6), fc.array(fc.tuple(chance, requested), { maxLength: 8 }), async (retries, failures) => {
      const chances = failures.map(([random]) => random);
      const errors = failures.map(([, retryAfterMs]) =>
        retryAfterMs === undefined ? SERVER_ERROR : new EngineError("llm.rate_limited", { retryAfterMs }),
      );
      const { waited, options, request } = waits({ retries });
      let draws = 0;
      const random = (): number => chances[draws++] ?? 0;
      const client = failing(errors);
      const ended = await withRetry(client, { ...options, random })
        .complete(request)
        .then(() => "answered")
        .catch(() => "failed");
      expect(client.attempts).toBeLessThanOrEqual(retries + 1);
      expect(waited).toHaveLength(client.attempts - 1);
      for (const [index, delayMs] of waited.entries()) {
        const retryAfterMs = failures[index]?.[1];
        const base = 1000 * 2 ** index;
        const isHonoured = retryAfterMs !== undefined && retryAfterMs >= 0;
        const [least, most] = isHonoured ? [retryAfterMs, retryAfterMs] : [base / 2, Math.min(60_000, base * 1.5)];
        expect(delayMs).toBeGreaterThanOrEqual(Math.min(least, 60_000));
        expect(delayMs).toBeLessThanOrEqual(Math.min(most, 60_000));
      }
      const tooLong = failures.slice(0, client.attempts).some(([, ms]) => ms !== undefined && ms > 60_000);
      if (ended === "answered") expect(client.attempts).toBe(errors.length + 1);
      else expect(tooLong || client.attempts === retries + 1).toBe(true);
    }),
  );
});

test("a stream never delivers anything twice, wherever its attempts break [client-retry-5]", async () => {
  const pieces = fc.array(fc.constantFrom("", "a", "b"), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 4 }), async (broken) => {
      const { options, request } = waits();
      let attempts = 0;
      const client: Client = {
        complete: async () => ANSWER,
        async *stream() {
          const texts = broken[attempts++];
          yield { type: "stream_start" };
          for (const text of texts ?? ["z"]) yield { type: "text_delta", textId: "0", text };
          if (texts !== undefined) throw SERVER_ERROR;
          yield { type: "finish", response: ANSWER };
        },
        close: async () => undefined,
      };
      let text = "";
      const read = async (): Promise<void> => {
        for await (const event of withRetry(client, options).stream(request)) {
          if (event.type === "text_delta") text += event.text;
        }
      };
      await read().catch(() => undefined);
      const first = broken.findIndex((texts) => texts.join("") !== "");
      const delivers = first === -1 ? broken.length : first;
      expect(attempts).toBe(Math.min(delivers, 2) + 1);
      expect(text).toBe(delivers > 2 ? "" : (broken[delivers]?.join("") ?? "z"));
    }),
  );
});

test("an abort ends the waiting", async () => {
  const controller = new AbortController();
  const client = failing([SERVER_ERROR]);
  const request: ModelRequest = {
    model: "m",
    messages: [],
    signal: controller.signal,
    onRetry: () => queueMicrotask(() => controller.abort()),
  };
  const error = await withRetry(client, { baseDelayMs: 60_000 })
    .complete(request)
    .catch((failure: unknown) => failure);
  expect(codeOf(error)).toBe("llm.aborted");
  expect(client.attempts).toBe(1);
});

test("an abort during an injected wait ends the call as well", async () => {
  const controller = new AbortController();
  const { options } = waits({ delay: async () => controller.abort() });
  const client = failing([SERVER_ERROR]);
  const error = await collect(
    withRetry(client, options).stream({ model: "m", messages: [], signal: controller.signal }),
  ).catch((failure: unknown) => failure);
  expect(codeOf(error)).toBe("llm.aborted");
  expect(client.attempts).toBe(1);
});
