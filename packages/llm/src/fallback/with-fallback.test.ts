import { type Client, EngineError, type ErrorCode, type ModelRequest, type StreamEvent } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { answer, failureOf, fakeClient, readAll } from "../../test/fake-client.ts";
import { type FallbackNotice, withFallback } from "./with-fallback.ts";

const REQUEST: ModelRequest = { provider: "anthropic", model: "big", messages: [], reasoningEffort: "high" };
const SECOND = { provider: "openai", model: "other" };
const failure = (code: ErrorCode): EngineError => new EngineError(code, { provider: "anthropic", problem: "no" });

function failingFirst(error: unknown, count = 1): ReturnType<typeof fakeClient> {
  return fakeClient((request, index) => {
    if (index < count) throw error;
    return answer(request.model, { warnings: ["its own"] });
  });
}

test.each([
  "llm.rate_limited",
  "llm.server_error",
  "llm.network",
  "llm.request_timeout",
  "llm.stream_broken",
  "llm.quota_exceeded",
  "llm.unknown",
] as const)("after %s the second model responds, streamed or not, and the response reports it", async (code) => {
  const notices: FallbackNotice[] = [];
  const options = { onFallback: (notice: FallbackNotice) => notices.push(notice) };
  const client = failingFirst(failure(code));
  const response = await withFallback(client, [SECOND], options).complete(REQUEST);
  expect(client.requests[1]).toMatchObject({ ...SECOND, reasoningEffort: "high" });
  expect(response.warnings).toEqual([
    `anthropic/big failed (${code}); openai/other was asked in its place.`,
    "its own",
  ]);
  const streamed = await readAll(withFallback(failingFirst(failure(code)), [SECOND], options).stream(REQUEST));
  expect(streamed.response).toEqual(response);
  expect(notices).toHaveLength(2);
  expect(notices[0]).toMatchObject({ from: { provider: "anthropic", model: "big" }, to: SECOND, error: { code } });
});

test.each([
  "llm.invalid_request",
  "llm.authentication",
  "llm.access_denied",
  "llm.not_found",
  "llm.context_length",
  "llm.content_filtered",
  "llm.aborted",
  "model.missing_key",
] as const)("%s is raised immediately, unless the caller allows a fallback", async (code) => {
  const error = failure(code);
  const client = failingFirst(error);
  expect(await failureOf(withFallback(client, [SECOND]).complete(REQUEST))).toBe(error);
  expect((await readAll(withFallback(failingFirst(error), [SECOND]).stream(REQUEST))).error).toBe(error);
  expect(client.requests).toHaveLength(1);
  const worthwhile = withFallback(failingFirst(error), [SECOND], { isWorthFallback: () => true });
  expect((await worthwhile.complete(REQUEST)).id).toBe("answer-other");
});

test("the models are asked in order, the last failure is raised, and no model changes the request of the next", async () => {
  const client = failingFirst(new Error("odd"), 3);
  const models = [{ model: "small", reasoningEffort: null }, SECOND];
  expect(await failureOf(withFallback(client, models).complete(REQUEST))).toEqual(new Error("odd"));
  expect(client.requests).toEqual([
    REQUEST,
    { ...REQUEST, model: "small", reasoningEffort: null },
    { ...REQUEST, ...SECOND },
  ]);
});

test("never happens after a part of the response was delivered", async () => {
  const broken = failure("llm.stream_broken");
  const streaming = (events: readonly StreamEvent[]): Client & { calls: number } => {
    const client = {
      calls: 0,
      complete: async () => answer("x"),
      async *stream(): AsyncGenerator<StreamEvent> {
        client.calls += 1;
        if (client.calls > 1) {
          yield { type: "finish", response: answer("x") };
          return;
        }
        yield* events;
        throw broken;
      },
      close: async () => undefined,
    };
    return client;
  };
  const opening: StreamEvent[] = [
    { type: "stream_start", id: "1" },
    { type: "text_start", textId: "0" },
  ];
  const early = streaming(opening);
  const read = await readAll(withFallback(early, [SECOND]).stream(REQUEST));
  expect(read.events.map((event) => event.type)).toEqual(["finish"]);
  const late = streaming([...opening, { type: "text_delta", textId: "0", text: "h" }]);
  const cut = await readAll(withFallback(late, [SECOND]).stream(REQUEST));
  expect(cut.error).toBe(broken);
  expect(cut.events.map((event) => event.type)).toEqual(["stream_start", "text_start", "text_delta"]);
  expect(late.calls).toBe(1);
});

test("an aborted call tries no other model; leaving the stream ends the inner stream", async () => {
  const controller = new AbortController();
  const client = fakeClient(() => {
    controller.abort();
    throw failure("llm.network");
  });
  const request = { ...REQUEST, signal: controller.signal };
  expect(await failureOf(withFallback(client, [SECOND]).complete(request))).toMatchObject({ code: "llm.network" });
  expect(client.requests).toHaveLength(1);
  const fine = fakeClient(() => answer("x"));
  for await (const _ of withFallback(fine, [SECOND]).stream(REQUEST)) break;
  expect(fine.ended).toBe(1);
});
