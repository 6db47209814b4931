import {
  EngineError,
  type Message,
  type ModelRequest,
  type ModelResponse,
  type Part,
  textMessage,
} from "@switchyard/contracts";
import { createMasker } from "@switchyard/secrets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cassette, RecordedCall } from "./cassette.ts";
import { createNormaliser, createRestorer } from "./create-normaliser.ts";
import { createReplayClient } from "./create-replay-client.ts";
import { parseCassette } from "./parse-cassette.ts";
import { serializeCassette } from "./serialize-cassette.ts";
import { withRecorder } from "./with-recorder.ts";

const TOOL = { name: "shell", description: "Runs a command.", parameters: { type: "object" } };

function answer(text: string, more: Partial<ModelResponse> = {}): ModelResponse {
  const message: Message = {
    role: "assistant",
    parts: [{ type: "text", text }],
    origin: { provider: "openai", model: "m" },
  };
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  return {
    id: "r",
    model: "m",
    provider: "openai",
    message,
    finishReason: { unified: "stop" },
    usage,
    warnings: [],
    ...more,
  };
}

function request(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { provider: "openai", model: "m", messages, tools: [TOOL], ...more };
}

const FIRST = request([textMessage("user", "one")]);
const SECOND = request([...FIRST.messages, answer("1").message, textMessage("user", "two")]);
const CALLS: readonly RecordedCall[] = [
  { request: FIRST, response: answer("1") },
  { request: SECOND, response: answer("2") },
];
const CASSETTE: Cassette = {
  header: { format: "switchyard/cassette", version: 1, description: "Two turns", handwritten: true, model: "m" },
  calls: CALLS,
};

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

function engineError(value: unknown): EngineError {
  if (EngineError.is(value)) return value;
  throw new Error("not an EngineError", { cause: value });
}

describe("the format", () => {
  test("a recording is read back as it was written", () => {
    expect(parseCassette(serializeCassette(CASSETTE))).toEqual(CASSETTE);
  });

  test("a call does not repeat the history and the tools of the one before it", () => {
    const [header, first, second] = serializeCassette(CASSETTE)
      .split("\n")
      .map((line) => (line === "" ? undefined : JSON.parse(line)));
    expect(header).toMatchObject({ format: "switchyard/cassette", version: 1, handwritten: true });
    expect(first.request).toMatchObject({ tools: [TOOL], messages: FIRST.messages });
    expect(second.request).toMatchObject({ after: 1, toolsUnchanged: true });
    expect(second.request.messages).toHaveLength(2);
    expect(second.request).not.toHaveProperty("tools");
  });

  test("a complete conversation is recorded", () => {
    const calls = [...CALLS, { request: request([textMessage("user", "other")]), response: answer("3") }];
    const text = serializeCassette({ ...CASSETTE, calls });
    expect(JSON.parse(text.split("\n")[3] ?? "").request).not.toHaveProperty("after");
    expect(parseCassette(text).calls).toEqual(calls);
  });

  const part: fc.Arbitrary<Part> = fc.oneof(
    fc.record({ type: fc.constant("text" as const), text: fc.string({ unit: "binary" }) }),
    fc.record({ type: fc.constant("tool_call" as const), id: fc.string(), name: fc.string(), arguments: fc.json() }),
    fc.record({
      type: fc.constant("tool_result" as const),
      toolCallId: fc.string(),
      name: fc.string(),
      content: fc.string(),
      isError: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("thinking" as const),
      text: fc.string(),
      providerMetadata: fc.constant({ openai: { itemId: "rs" } }),
    }),
  );
  const message: fc.Arbitrary<Message> = fc.record({
    role: fc.constantFrom("system" as const, "user" as const, "assistant" as const, "tool" as const),
    parts: fc.array(part, { maxLength: 3 }),
  });

  test("any history survives writing and reading", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4), fc.array(message, { maxLength: 4 })), { maxLength: 5 }), (turns) => {
        let history: readonly Message[] = [];
        const calls = turns.map(([shared, added]): RecordedCall => {
          history = [...history.slice(0, shared), ...added];
          return { request: request(history), response: answer("x") };
        });
        expect(parseCassette(serializeCassette({ ...CASSETTE, calls })).calls).toEqual(calls);
      }),
    );
  });

  test("missing optional fields are filled with defaults", () => {
    const line = {
      request: { model: "m", messages: [] },
      response: {
        message: { role: "assistant", parts: [{ type: "tool_call", id: "1", name: "shell", arguments: "{}" }] },
      },
    };
    const text = `${JSON.stringify({ format: "switchyard/cassette", version: 1, description: "d" })}\n\n${JSON.stringify(line)}\n`;
    expect(parseCassette(text).calls[0]?.response).toMatchObject({
      id: "recorded-1",
      model: "m",
      finishReason: { unified: "tool_calls" },
      usage: { totalTokens: 0 },
    });
  });

  const HEADER = '{"format":"switchyard/cassette","version":1,"description":"d"}';
  test.each([
    ["", 1, "empty"],
    ["{", 1, "not valid JSON"],
    ['{"format":"other"}', 1, "format"],
    ['{"format":"switchyard/cassette","version":2,"description":"d"}', 1, "version 2"],
    [`${HEADER}\n{"request":{"messages":[]},"response":{}}`, 2, "model"],
    [
      `${HEADER}\n\n{"request":{"model":"m","messages":[{"role":"user","parts":[{"type":"text"}]}]},"response":{}}`,
      3,
      "messages[0].parts[0]",
    ],
    [`${HEADER}\n{"request":{"model":"m","after":1,"messages":[]},"response":{}}`, 2, "after is 1"],
    [`${HEADER}\n{"request":{"model":"m","messages":[]}}`, 2, "either a response or an error"],
    [
      `${HEADER}\n{"request":{"model":"m","messages":[]},"response":{"message":{"role":"user","parts":[]}}}`,
      2,
      "assistant",
    ],
  ])("%j is refused with its line", (text, line, problem) => {
    const read = (): unknown => {
      try {
        return parseCassette(text, { path: "demo.jsonl" });
      } catch (error) {
        return error;
      }
    };
    const error = engineError(read());
    expect(error.code).toBe("cassette.malformed");
    expect(error.details).toMatchObject({ path: "demo.jsonl", line });
    expect(error.message).toContain(problem);
  });
});

describe("replay", () => {
  test("the recorded requests get the recorded answers, streamed or not [client-middleware-2]", async () => {
    const client = createReplayClient(CASSETTE, { mode: "strict", pieceLength: 1 });
    expect(await client.complete(FIRST)).toEqual(CALLS[0]?.response);
    const types: string[] = [];
    for await (const event of client.stream(SECOND)) types.push(event.type);
    expect(types).toEqual(["stream_start", "text_start", "text_delta", "text_end", "finish"]);
    client.assertFinished();
  });

  test("a request that differs is refused with the first difference", async () => {
    const client = createReplayClient(CASSETTE, { mode: "strict" });
    const error = engineError(await failure(client.complete(request([textMessage("user", "One")]))));
    expect(error.code).toBe("cassette.mismatch");
    expect(error.details).toMatchObject({
      index: 1,
      path: "messages[0].parts[0].text",
      expected: '"one"',
      actual: '"One"',
    });
    expect(error.message).toContain("messages[0].parts[0].text");
    expect(() => client.assertFinished()).toThrow(error);
  });

  test("another model, another tool and one message more are differences", async () => {
    const changes: Partial<ModelRequest>[] = [
      { model: "n" },
      { tools: [{ ...TOOL, description: "Runs it." }] },
      { messages: [...FIRST.messages, textMessage("user", "more")] },
      { temperature: 1 },
    ];
    const paths: unknown[] = [];
    for (const change of changes) {
      const client = createReplayClient(CASSETTE, { mode: "strict" });
      paths.push(engineError(await failure(client.complete({ ...FIRST, ...change }))).details["path"]);
    }
    expect(paths).toEqual(["model", "tools[0].description", "messages[1]", "temperature"]);
  });

  test("a long difference is shown shortened, around its position", async () => {
    const long = (end: string): ModelRequest => request([textMessage("user", `${"a".repeat(5000)}${end}`)]);
    const client = createReplayClient(
      { ...CASSETTE, calls: [{ request: long("x"), response: answer("1") }] },
      { mode: "strict" },
    );
    const { message } = engineError(await failure(client.complete(long("y"))));
    expect(message.length).toBeLessThan(500);
    expect(message).toMatch(/aax"/);
  });

  test("in sequence mode, responses are played in order for any requests", async () => {
    const client = createReplayClient(CASSETTE, { mode: "sequence" });
    expect((await client.complete(request([]))).message).toEqual(answer("1").message);
    expect(client.callCount).toBe(1);
    expect(() => client.assertFinished()).toThrow(/1 recorded model calls were never made/);
  });

  test("a call too many is refused", async () => {
    const client = createReplayClient({ ...CASSETTE, calls: [] }, { mode: "sequence" });
    expect(engineError(await failure(client.complete(FIRST)))).toMatchObject({
      code: "cassette.exhausted",
      details: { index: 1, calls: 0 },
    });
  });

  test("a recorded failure is thrown again", async () => {
    const error = {
      code: "llm.rate_limited",
      message: "slow",
      details: { provider: "openai", status: 429, retryAfterMs: 5 },
    };
    const text = serializeCassette({ ...CASSETTE, calls: [{ request: FIRST, error }] });
    const thrown = engineError(
      await failure(createReplayClient(parseCassette(text), { mode: "strict" }).complete(FIRST)),
    );
    expect([thrown.code, thrown.retryable, thrown.details["retryAfterMs"]]).toEqual(["llm.rate_limited", true, 5]);
  });

  test("an aborted call is not answered", async () => {
    const client = createReplayClient(CASSETTE, { mode: "strict" });
    expect(engineError(await failure(client.complete({ ...FIRST, signal: AbortSignal.abort() }))).code).toBe(
      "llm.aborted",
    );
  });
});

describe("recording", () => {
  test("a recording is replayed, secrets are masked, and texts that depend on the run are replaced by placeholders [client-middleware-2]", async () => {
    const lines: string[] = [];
    const source = createReplayClient(
      {
        ...CASSETTE,
        calls: [
          { request: FIRST, response: answer("key hunter2-hunter2 in /home/me/project") },
          { request: FIRST, response: answer("2") },
        ],
      },
      { mode: "sequence" },
    );
    const client = withRecorder(source, {
      write: (line) => lines.push(line),
      masker: createMasker(["hunter2-hunter2"]),
      normalise: createNormaliser({ workspace: "/home/me/project" }),
      header: { description: "A test" },
    });
    const live = await client.complete(request([textMessage("user", "in /home/me/project")]));
    for await (const _ of client.stream(SECOND));
    expect(live.message.parts[0]).toMatchObject({ text: "key hunter2-hunter2 in /home/me/project" });
    const text = lines.join("\n");
    expect(text).not.toContain("hunter2");
    expect(text).not.toContain("/home/me");
    const cassette = parseCassette(text);
    expect(cassette.header).toMatchObject({ description: "A test", model: "m" });
    const restore = createRestorer({ workspace: "/srv/other" });
    const replay = createReplayClient(cassette, {
      mode: "strict",
      normalise: createNormaliser({ workspace: "/srv/other" }),
      restore,
    });
    const replayed = await replay.complete(request([textMessage("user", "in /srv/other")]));
    expect(replayed.message.parts[0]).toMatchObject({ text: "key ***REDACTED*** in /srv/other" });
    await replay.complete(SECOND);
    replay.assertFinished();
  });

  test("failures and streams that were left are recorded as such", async () => {
    const calls: RecordedCall[] = [];
    const client = withRecorder(createReplayClient({ ...CASSETTE, calls: CALLS.slice(0, 1) }, { mode: "sequence" }), {
      record: (call) => calls.push(call),
    });
    for await (const _ of client.stream(FIRST)) break;
    await failure(client.complete(FIRST));
    expect(calls.map((call) => call.error?.code)).toEqual(["llm.aborted", "cassette.exhausted"]);
  });

  test("calls at the same time are written in the order in which they began", async () => {
    const release: (() => void)[] = [];
    const slow = {
      complete: async ({ model }: ModelRequest): Promise<ModelResponse> => {
        await new Promise<void>((resolve) => release.push(resolve));
        return answer(model);
      },
      stream: () => {
        throw new Error("not used");
      },
      close: async () => undefined,
    };
    const models: string[] = [];
    const client = withRecorder(slow, { record: (call) => models.push(call.request.model) });
    const both = [client.complete(request([], { model: "a" })), client.complete(request([], { model: "b" }))];
    release[1]?.();
    await both[1];
    expect(models).toEqual([]);
    release[0]?.();
    await both[0];
    expect(models).toEqual(["a", "b"]);
  });
});

describe("the normaliser", () => {
  const normalise = createNormaliser({ workspace: ["/tmp/demo-Ab12", "/private/tmp/demo-Ab12"], runId: "run_01" });

  test.each([
    ["/tmp/demo-Ab12/src/a.ts", "<workspace>/src/a.ts"],
    ["/private/tmp/demo-Ab12", "<workspace>"],
    ["run_01 began 2026-11-21T22:41:07.123Z", "<run> began <time>"],
    ["Today's date: 21 November 2026\nnext", "Today's date: <date>\nnext"],
    ["Today's date is 2026-11-21", "Today's date is <date>"],
    ["# duration_ms 12.345", "# duration_ms <duration>"],
    ["✔ adds (0.6ms), took 2 s or 1.5 s", "✔ adds (<duration>), took <duration> or <duration>"],
    ["/tmp/other-X/file and /var/folders/ab/cd/T/x-1/file", "<temp>/file and <temp>/file"],
    ["3 streams, 2 steps, v1.2s3 and 10 sheep", "3 streams, 2 steps, v1.2s3 and 10 sheep"],
  ])("%j becomes %j", (text, expected) => {
    expect(normalise(text)).toBe(expected);
  });

  test("marks stay as they are: normalising twice is normalising once", () => {
    const word = fc.constantFrom(
      "/tmp/demo-Ab12",
      "2026-01-02",
      "T10:11",
      "12 ms",
      "run_01",
      "Today's date: ",
      "\n",
      "/tmp/x/",
      "a",
      " ",
      "3s",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string()), { maxLength: 8 }), (words) => {
        const once = normalise(words.join(""));
        expect(normalise(once)).toBe(once);
      }),
    );
  });
});
