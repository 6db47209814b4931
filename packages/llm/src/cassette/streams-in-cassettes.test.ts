import { EngineError, type ModelRequest, type ModelResponse, type StreamEvent } from "@switchyard/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, failureOf, fakeClient, readAll } from "../../test/fake-client.ts";
import { createStreamAccumulator } from "../response/stream-accumulator.ts";
import { withRetry } from "../retry/with-retry.ts";
import type { Cassette } from "./cassette.ts";
import { createReplayClient, withReplay } from "./create-replay-client.ts";
import { parseCassette } from "./parse-cassette.ts";
import { withRecorder } from "./with-recorder.ts";

const REQUEST: ModelRequest = { model: "m", messages: [] };

/** A client whose streams are these events, one list per call; an error at the end of a list is thrown. */
function streaming(...scripts: readonly (readonly (StreamEvent | Error)[])[]): ReturnType<typeof fakeClient> {
  const client = fakeClient(() => answer("x"));
  let calls = 0;
  client.stream = async function* stream() {
    for (const event of scripts[calls++] ?? []) {
      if (event instanceof Error) throw event;
      yield event;
    }
  };
  return client;
}

async function record(
  client: ReturnType<typeof fakeClient>,
  use: (recorder: ReturnType<typeof fakeClient> | ReturnType<typeof withRecorder>) => Promise<unknown>,
): Promise<Cassette> {
  const lines: string[] = [];
  const recorder = withRecorder(client, { write: (line) => lines.push(line), header: { description: "d" } });
  await use(recorder);
  await recorder.close();
  return parseCassette(`${lines.join("\n")}\n`);
}

/** The events of an answer whose parts are cut as given. */
function eventsOf(parts: readonly { kind: "text" | "thinking" | "call"; pieces: readonly string[] }[]): {
  events: StreamEvent[];
  response: ModelResponse;
} {
  const events: StreamEvent[] = [{ type: "stream_start", id: "1", model: "m" }];
  for (const [index, { kind, pieces }] of parts.entries()) {
    const id = String(index);
    const joined = pieces.join("");
    if (kind === "text") {
      events.push({ type: "text_start", textId: id });
      events.push(...pieces.map((text): StreamEvent => ({ type: "text_delta", textId: id, text })));
      events.push({ type: "text_end", textId: id });
    } else if (kind === "thinking") {
      events.push({ type: "reasoning_start", reasoningId: id });
      events.push(...pieces.map((text): StreamEvent => ({ type: "reasoning_delta", reasoningId: id, text })));
      events.push({ type: "reasoning_end", reasoningId: id });
    } else {
      events.push({ type: "tool_call_start", callId: id, name: "t" });
      events.push(
        ...pieces.map((piece): StreamEvent => ({ type: "tool_call_delta", callId: id, argumentsDelta: piece })),
      );
      events.push({ type: "tool_call_end", callId: id, name: "t", arguments: joined });
    }
  }
  const accumulator = createStreamAccumulator();
  for (const event of events) accumulator.add(event);
  const response = answer("x", { id: "1", message: { role: "assistant", parts: accumulator.parts() } });
  return { events: [...events, { type: "finish", response }], response };
}

test("a stream is played in the pieces in which it came", async () => {
  // No name of a secret consists of these letters: after a name such as `pw:`, recorders redact text.
  const unit = fc.constantFrom(...'bdxz 0:=/-_"\\\n{}é😀');
  const piece = fc.string({ unit, minLength: 1, maxLength: 9 });
  const part = fc.record({
    kind: fc.constantFrom("text" as const, "thinking" as const, "call" as const),
    pieces: fc.array(piece, { minLength: 1, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
      const { events } = eventsOf(parts);
      const cassette = await record(streaming(events), (client) => readAll(client.stream(REQUEST)));
      const played = await readAll(createReplayClient(cassette, { mode: "strict" }).stream(REQUEST));
      const texts = (list: readonly StreamEvent[]): unknown[] =>
        list.map((event) => {
          if (event.type === "text_delta" || event.type === "reasoning_delta") return event.text;
          return event.type === "tool_call_delta" ? event.argumentsDelta : event.type;
        });
      expect(texts(played.events)).toEqual(texts(events));
      expect(played.response?.message.parts).toEqual(cassette.calls[0]?.response?.message.parts);
    }),
  );
});

test("a stream that broke off breaks off again after the delivered part, without a retry in either case", async () => {
  const broken = new EngineError("llm.stream_broken", { provider: "p", problem: "gone" });
  const { events } = eventsOf([{ kind: "text", pieces: ["Hel", "lo, wor"] }]);
  const cassette = await record(streaming([...events.slice(0, 4), broken]), (client) =>
    readAll(client.stream(REQUEST)),
  );
  const replay = createReplayClient(cassette, { mode: "strict" });
  const played = await readAll(withRetry(replay, { delay: async () => undefined }).stream(REQUEST));
  expect(played.error).toMatchObject({ code: "llm.stream_broken", details: { problem: "gone" } });
  expect(played.events.filter((event) => event.type === "text_delta")).toEqual([
    { type: "text_delta", textId: "0", text: "Hel" },
    { type: "text_delta", textId: "0", text: "lo, wor" },
  ]);
  replay.assertFinished();
});

test("after a break, a stream plays only the parts that had arrived", async () => {
  const events: StreamEvent[] = [
    { type: "stream_start" },
    { type: "reasoning_start", reasoningId: "0" },
    { type: "reasoning_delta", reasoningId: "0", text: "Hm." },
    { type: "reasoning_end", reasoningId: "0" },
    { type: "tool_call_start", callId: "a", name: "f" },
    { type: "tool_call_delta", callId: "a", argumentsDelta: "{}" },
    { type: "tool_call_end", callId: "a", name: "f", arguments: "{}" },
    { type: "tool_call_start", callId: "b", name: "g" },
    { type: "tool_call_delta", callId: "b", argumentsDelta: '{"a"' },
    { type: "tool_call_delta", callId: "b", argumentsDelta: ":1" },
    { type: "text_start", textId: "3" },
  ];
  for (const length of [3, 6, 9, 10, 11]) {
    const delivered = events.slice(0, length);
    const broken = new EngineError("llm.stream_broken", { provider: "p", problem: "gone" });
    const cassette = await record(streaming([...delivered, broken]), (client) => readAll(client.stream(REQUEST)));
    const played = await readAll(createReplayClient(cassette, { mode: "strict" }).stream(REQUEST));
    expect(played.events).toEqual(delivered);
    expect(played.error).toMatchObject({ code: "llm.stream_broken" });
  }
});

test("a stream that failed before its first piece fails before it again", async () => {
  const cassette = await record(streaming([new EngineError("llm.rate_limited", { retryAfterMs: 5 })]), (client) =>
    readAll(client.stream(REQUEST)),
  );
  const played = await readAll(createReplayClient(cassette, { mode: "strict" }).stream(REQUEST));
  expect(played).toMatchObject({ events: [], error: { code: "llm.rate_limited", details: { retryAfterMs: 5 } } });
});

test("a stream without a response, and one that was not read, do not block", async () => {
  const { events } = eventsOf([{ kind: "text", pieces: ["a"] }]);
  const cassette = await record(streaming(events.slice(0, 2), events), async (client) => {
    await client
      .stream({ ...REQUEST, model: "unread" })
      [Symbol.asyncIterator]()
      .return?.();
    await readAll(client.stream(REQUEST));
    await readAll(client.stream(REQUEST));
  });
  expect(cassette.calls.map(({ error }) => error?.code)).toEqual(["llm.stream_broken", undefined]);
});

test("closing writes the calls that ended, though one before them did not", async () => {
  const client = fakeClient(({ model }) => (model === "hangs" ? new Promise(() => undefined) : answer(model)));
  const cassette = await record(client, async (recorder) => {
    void recorder.complete({ ...REQUEST, model: "hangs" });
    await recorder.complete({ ...REQUEST, model: "ends" });
  });
  expect(cassette.calls.map(({ request }) => request.model)).toEqual(["ends"]);
  expect(client.isClosed).toBe(true);
});

test("calls at the same time are found in any order, each once; others are refused", async () => {
  const cassette = await record(
    fakeClient(({ model }) => answer(model)),
    async (client) => {
      for (const model of ["a", "b", "b"]) await client.complete({ ...REQUEST, model });
    },
  );
  const replay = createReplayClient(cassette, { mode: "strict" });
  const ids = await Promise.all(["b", "a"].map(async (model) => (await replay.complete({ ...REQUEST, model })).id));
  expect(ids).toEqual(["answer-b", "answer-a"]);
  expect(await failureOf(replay.complete({ ...REQUEST, model: "a" }))).toMatchObject({
    code: "cassette.mismatch",
    details: { index: 3, path: "model", expected: '"b"' },
  });
  expect((await replay.complete({ ...REQUEST, model: "b" })).id).toBe("answer-b");
  expect(await failureOf(replay.complete({ ...REQUEST, model: "b" }))).toMatchObject({ code: "cassette.exhausted" });
  expect(() => replay.assertFinished()).toThrow(/does not match/);
});

test("as a middleware it replaces the client, which is closed at the end", async () => {
  const client = fakeClient(() => answer("never"));
  const cassette = await record(
    fakeClient(() => answer("recorded")),
    (recorder) => recorder.complete(REQUEST),
  );
  const replay = withReplay(client, cassette, { mode: "strict" });
  expect(() => replay.assertFinished()).toThrow(/never made/);
  expect((await replay.complete(REQUEST)).id).toBe("answer-recorded");
  expect(replay.callCount).toBe(1);
  replay.assertFinished();
  await replay.close();
  expect([client.requests, client.isClosed]).toEqual([[], true]);
});

test.each([
  ['"pieces":[["x"]]', "pieces"],
  ['"pieces":[[-1]]', "pieces"],
  ['"unfinished":"0"', "unfinished"],
  ['"delivered":[{"type":"nothing"}]', "delivered.parts[0]"],
])("%s is refused", (field, problem) => {
  const header = '{"format":"switchyard/cassette","version":1,"description":"d"}';
  const line = `{"request":{"model":"m","messages":[]},"error":{"code":"llm.unknown"},${field}}`;
  expect(() => parseCassette(`${header}\n${line}\n`)).toThrow(problem);
});
