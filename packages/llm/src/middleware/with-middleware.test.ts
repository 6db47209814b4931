import { EngineError, type StreamEvent, textOf } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { answer, failureOf, fakeClient, readAll } from "../../test/fake-client.ts";
import { type ModelCallLog, withLogging } from "./with-logging.ts";
import { type ClientMiddleware, defineClientMiddleware, withMiddleware } from "./with-middleware.ts";
import { withResponseCache } from "./with-response-cache.ts";

const REQUEST = { model: "m", messages: [] };
const DOWN = new EngineError("llm.server_error", { provider: "openai", status: 500, problem: "down" });

function named(name: string, seen: string[]): ClientMiddleware {
  return defineClientMiddleware({
    async complete(request, next) {
      seen.push(`${name} in`);
      try {
        return await next(request);
      } finally {
        seen.push(`${name} out`);
      }
    },
    async *stream(request, next) {
      seen.push(`${name} in`);
      try {
        yield* next(request);
      } finally {
        seen.push(`${name} out`);
      }
    },
  });
}

describe("composing", () => {
  test("the first middleware is the outermost, round both kinds of call, failures and streams that are left [client-middleware-1]", async () => {
    const order = ["first in", "second in", "second out", "first out"];
    const seen: string[] = [];
    const client = fakeClient((_request, index) => {
      if (index === 2) throw DOWN;
      return answer("hello");
    });
    const wrapped = withMiddleware(client, [named("first", seen), named("second", seen)]);
    await wrapped.complete(REQUEST);
    await readAll(wrapped.stream(REQUEST));
    expect(await failureOf(wrapped.complete(REQUEST))).toBe(DOWN);
    for await (const _ of wrapped.stream(REQUEST)) break;
    expect(seen).toEqual([...order, ...order, ...order, ...order]);
    expect(client.ended).toBe(2);
    await wrapped.close();
    expect(client.isClosed).toBe(true);
  });

  test("without middleware it is the client itself, and a layer may omit a kind of call", async () => {
    const client = fakeClient(() => answer("hello"));
    expect(withMiddleware(client, [])).toBe(client);
    const wrapped = withMiddleware(client, [defineClientMiddleware({})]);
    expect(textOf((await wrapped.complete(REQUEST)).message)).toBe("hello");
    expect((await readAll(wrapped.stream(REQUEST))).response).toEqual(answer("hello"));
  });

  test("a middleware that returns no client is refused immediately", () => {
    const same: ClientMiddleware = (client) => client;
    const nothing: unknown = () => undefined;
    const isMiddleware = (value: unknown): value is ClientMiddleware => typeof value === "function";
    if (!isMiddleware(nothing)) throw new Error("not a function");
    expect(() =>
      withMiddleware(
        fakeClient(() => answer("x")),
        [same, nothing],
      ),
    ).toThrow(/middleware\[1\]/);
  });
});

describe("logging", () => {
  test("every call is reported once, with its end and without contents [client-middleware-2]", async () => {
    const calls: ModelCallLog[] = [];
    let time = 0;
    const client = withLogging(
      fakeClient((_request, index) => {
        if (index === 1) throw DOWN;
        if (index === 3) throw new Error("odd");
        return answer("hello");
      }),
      {
        log: (call) => calls.push(call),
        now: () => {
          time += 10;
          return time;
        },
      },
    );
    await client.complete(REQUEST);
    await failureOf(client.complete(REQUEST));
    await readAll(client.stream(REQUEST));
    await readAll(client.stream(REQUEST));
    for await (const _ of client.stream(REQUEST)) break;
    expect(calls.map(({ outcome, isStreamed, errorCode }) => [outcome, isStreamed, errorCode])).toEqual([
      ["answered", false, undefined],
      ["failed", false, "llm.server_error"],
      ["answered", true, undefined],
      ["failed", true, "unknown"],
      ["left", true, undefined],
    ]);
    expect(calls[0]).toEqual({
      provider: "openai",
      model: "m",
      isStreamed: false,
      outcome: "answered",
      durationMs: 10,
      messages: 0,
      tools: 0,
      finishReason: "stop",
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    });
    expect(calls[2]).toMatchObject({ firstEventMs: 10, durationMs: 20 });
    expect(JSON.stringify(calls)).not.toContain("hello");
  });

  test("a log that fails fails no call", async () => {
    const client = withLogging(
      fakeClient(() => answer("hello")),
      {
        log: () => {
          throw new Error("disk full");
        },
      },
    );
    expect(await client.complete(REQUEST)).toEqual(answer("hello"));
    expect((await readAll(client.stream(REQUEST))).error).toBeUndefined();
  });
});

describe("the cache of responses", () => {
  const requestOf = (text: string, more: object = {}): { model: string; messages: []; metadata: { text: string } } => ({
    model: "m",
    messages: [],
    metadata: { text },
    ...more,
  });

  test("an equal request is sent once, streamed or not, and its second response costs nothing [client-middleware-2]", async () => {
    const client = fakeClient((_request, index) => answer(String(index)));
    const cached = withResponseCache(client);
    expect(textOf((await cached.complete(requestOf("a"))).message)).toBe("0");
    const again = await cached.complete({ metadata: { text: "a" }, messages: [], model: "m" });
    expect(textOf(again.message)).toBe("0");
    expect(again.usage).toMatchObject({ totalTokens: 0, costMicros: 0 });
    expect(again.warnings).toHaveLength(1);
    const streamed = await readAll(cached.stream(requestOf("a")));
    expect(streamed.events.map((event: StreamEvent) => event.type)).toContain("text_delta");
    expect(streamed.response?.message).toEqual(answer("0").message);
    await readAll(cached.stream(requestOf("b")));
    expect(textOf((await cached.complete(requestOf("b"))).message)).toBe("1");
    expect(client.requests).toHaveLength(2);
  });

  test("any difference is another request, but not who may cancel it", async () => {
    const client = fakeClient((_request, index) => answer(String(index)));
    const cached = withResponseCache(client);
    await cached.complete(requestOf("a"));
    for (const change of [{ temperature: 0 }, { provider: "openai" }, { maxTokens: 1 }]) {
      await cached.complete(requestOf("a", change));
    }
    expect(client.requests).toHaveLength(4);
    await cached.complete(requestOf("a", { signal: new AbortController().signal, onRetry: () => undefined }));
    expect(client.requests).toHaveLength(4);
  });

  test("failures, truncated responses, unfinished streams and requests with files are not cached", async () => {
    const client = fakeClient((_request, index) => {
      if (index === 0) throw DOWN;
      return answer(String(index), index === 1 ? { finishReason: { unified: "length" } } : {});
    });
    const cached = withResponseCache(client);
    await failureOf(cached.complete(requestOf("a")));
    await cached.complete(requestOf("a"));
    for await (const _ of cached.stream(requestOf("a"))) break;
    await cached.complete(requestOf("a"));
    await cached.complete(requestOf("a"));
    expect(client.requests).toHaveLength(4);
    const parts = [{ type: "image" as const, path: "a.png", mediaType: "image/png" }];
    const file = { model: "m", messages: [{ role: "user" as const, parts }] };
    await cached.complete(file);
    await cached.complete(file);
    expect(client.requests).toHaveLength(6);
  });

  test("it stores at most its limit; the least recently used entries are removed", async () => {
    const client = fakeClient((_request, index) => answer(String(index)));
    const cached = withResponseCache(client, { maxEntries: 2 });
    for (const text of ["a", "b", "a", "c", "a", "b"]) await cached.complete(requestOf(text));
    expect(client.requests.map((request) => request.metadata?.["text"])).toEqual(["a", "b", "c", "b"]);
    const small = withResponseCache(client, { maxChars: 10 });
    await small.complete(requestOf("a"));
    await small.complete(requestOf("a"));
    expect(client.requests).toHaveLength(6);
  });

  test("an aborted call is not answered from the cache", async () => {
    const client = fakeClient(() => answer("x"));
    const cached = withResponseCache(client);
    await cached.complete(requestOf("a"));
    await cached.complete(requestOf("a", { signal: AbortSignal.abort() }));
    expect(client.requests).toHaveLength(2);
  });
});
