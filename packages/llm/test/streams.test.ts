import { EngineError, type ModelResponse, type StreamEvent, type ToolCallPart } from "@switchyard/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStreamAccumulator } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerJson, answerSse, type Handler, sse, startServer } from "./loopback-server.ts";
import { manualTime } from "./manual-time.ts";
import { COMPLETE, OPENING, piece, streamOf } from "./wire-answers.ts";

function responseOf(events: readonly StreamEvent[]): ModelResponse {
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("the stream did not finish");
  return last.response;
}

describe.each(FAMILIES)("streams of $family", ({ family, model, base }) => {
  const hold =
    (events: readonly object[]): Handler =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse(events));
    };

  test("the response of a stream equals the one of complete [client-calls-4]", async () => {
    await using server = await startServer((response, request) => {
      const streamed = request.path.includes("stream") || request.at("stream") === true;
      (streamed ? answerSse(streamOf(family, ["Hel", "lo"])) : answerJson(COMPLETE[family]))(response, request);
    });
    const client = clientOf(family, `${server.url}${base}`);
    const completed = await client.complete(ask(model));
    const streamed = responseOf(await collect(client.stream(ask(model))));
    expect(streamed).toEqual(completed);
    expect(completed.usage).toMatchObject({ cacheReadTokens: 4, model });
  });

  test("a stream begins with its start, keeps one id for a text from start to end, and its last event is the complete response [client-calls-2] [client-calls-3] [client-response-1]", async () => {
    await using server = await startServer(answerSse(streamOf(family, ["Hel", "lo"])));
    const events = await collect(clientOf(family, `${server.url}${base}`).stream(ask(model)));
    expect(events.map(({ type }) => type)).toEqual([
      ...["stream_start", "text_start", "text_delta", "text_delta", "text_end", "finish"],
    ]);
    const ids = events.flatMap((event) => ("textId" in event ? [event.textId] : []));
    expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
    const { raw } = responseOf(events).finishReason;
    expect(responseOf(events)).toMatchObject({
      ...{ model, provider: family, warnings: [], usage: { inputTokens: expect.any(Number), outputTokens: 2 } },
      message: { role: "assistant", parts: [{ type: "text", text: "Hello" }] },
      finishReason: { unified: "stop" },
    });
    // The vendor's own value; OpenAI has none for a response that simply ended.
    expect(raw).toBe({ openai: undefined, anthropic: "end_turn", gemini: "STOP" }[family]);
    expect(responseOf(events).id).toBe("resp_1".replace("resp", family === "anthropic" ? "msg" : "resp"));
  });

  test("leaving early closes the connection [client-calls-5]", async () => {
    await using server = await startServer(hold([...OPENING[family], piece(family, "Hel")]));
    for await (const event of clientOf(family, `${server.url}${base}`).stream(ask(model))) {
      if (event.type === "text_delta") break;
    }
    await server.clientLeft;
  });

  test("an abort in mid-stream is an error and closes the connection [client-timeouts-3]", async () => {
    await using server = await startServer(hold([...OPENING[family], piece(family, "Hel")]));
    const controller = new AbortController();
    const read = async (): Promise<void> => {
      for await (const event of clientOf(family, `${server.url}${base}`).stream(
        ask(model, "hi", { signal: controller.signal }),
      )) {
        if (event.type === "text_delta") controller.abort();
      }
    };
    const error = await read().catch((failure: unknown) => failure);
    expect(EngineError.is(error, "llm.aborted")).toBe(true);
    await server.clientLeft;
  });

  test("silence after the first piece stalls at 30 s, and the connection is closed [client-timeouts-1]", async () => {
    await using server = await startServer(hold([...OPENING[family], piece(family, "Hel")]));
    const time = manualTime();
    const read = async (): Promise<void> => {
      for await (const event of clientOf(family, `${server.url}${base}`, time).stream(ask(model))) {
        if (event.type !== "text_delta") continue;
        time.pass(3_600_000); // while the reader holds a piece nobody waits for the provider
        setImmediate(() => {
          time.pass(29_999);
          setImmediate(() => time.pass(1));
        });
      }
    };
    const error = await read().catch((failure: unknown) => failure);
    expect(EngineError.is(error, "llm.stream_stalled") && error.details["timeoutMs"]).toBe(30_000);
    await server.clientLeft;
  });

  test.each([true, false])(
    "no response within 120 s is a timeout (streamed: %s) [client-errors-2] [client-timeouts-1]",
    async (streamed) => {
      const time = manualTime();
      await using server = await startServer(() => {
        time.pass(119_999);
        expect(time.waiting()).toBe(1);
        time.pass(1);
      });
      const client = clientOf(family, `${server.url}${base}`, time);
      const call = streamed ? collect(client.stream(ask(model))) : client.complete(ask(model));
      const error = await call.catch((failure: unknown) => failure);
      expect(EngineError.is(error, "llm.request_timeout") && error.details["timeoutMs"]).toBe(120_000);
      await server.clientLeft;
    },
  );

  test.each([
    ["before the first content", [], "llm.request_timeout"],
    ["after it", [...OPENING[family], piece(family, "Hel")], "llm.stream_stalled"],
  ] as const)(
    "bytes without content do not keep a call alive forever, %s [client-timeouts-2]",
    async (_, opening, code) => {
      const time = manualTime();
      await using server = await startServer((response, request) => {
        hold(opening)(response, request);
        const timer = setInterval(() => response.write(": still here\n\n"), 1);
        response.on("close", () => clearInterval(timer));
      });
      /** Each chunk arrives after six seconds. */
      const slowly: typeof globalThis.fetch = async (input, init) => {
        const response = await fetch(input, init);
        const transform = (piece: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
          controller.enqueue(piece);
          time.pass(6_000);
        };
        return new Response(response.body?.pipeThrough(new TransformStream({ transform })) ?? null, response);
      };
      const client = clientOf(family, `${server.url}${base}`, { ...time, fetch: slowly });
      await expect(collect(client.stream(ask(model)))).rejects.toMatchObject({ code, details: { timeoutMs: 120_000 } });
      expect(time.waiting()).toBe(0);
      await server.clientLeft;
    },
  );

  test("no timer is left when a call is over", async () => {
    await using server = await startServer(answerSse(streamOf(family, ["Hello"])));
    const time = manualTime();
    await collect(clientOf(family, `${server.url}${base}`, time).stream(ask(model)));
    expect(time.waiting()).toBe(0);
  });

  test("the text of the events and the response do not depend on where the bytes are split", async () => {
    const text = 'Grüße 🚂 aus dem Stellwerk: {"a": 1}\n\n';
    const bytes = Buffer.from(sse(streamOf(family, [text.slice(0, 9), text.slice(9)])));
    let cuts: readonly number[] = [];
    await using server = await startServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const places = [...new Set(cuts.map((cut) => cut % bytes.length))].sort((left, right) => left - right);
      let from = 0;
      for (const position of [...places, bytes.length]) {
        response.write(bytes.subarray(from, position));
        from = position;
      }
      response.end();
    });
    const client = clientOf(family, `${server.url}${base}`);
    const expected = responseOf(await collect(client.stream(ask(model))));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100_000), { maxLength: 12 }), async (chosen) => {
        cuts = chosen;
        const accumulator = createStreamAccumulator();
        for await (const event of client.stream(ask(model))) {
          if (event.type === "finish") {
            expect(accumulator.parts()).toMatchObject([{ type: "text", text }]);
          }
          accumulator.add(event);
        }
        expect(accumulator.response()).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});

test("an unknown kind of event from Anthropic is ignored [client-calls-6]", async () => {
  const [first = {}, ...others] = streamOf("anthropic", ["Hel", "lo"]);
  const events = [
    ...[first, { type: "ping" }, { type: "new_kind", of: { event: 1 } }],
    { type: "content_block_start", index: 7, content_block: { type: "new_block", of: 1 } },
    { type: "content_block_delta", index: 7, delta: { type: "new_delta", of: 1 } },
    { type: "content_block_delta", index: 7, delta: { type: "citations_delta", citation: { type: "new_place" } } },
    { type: "content_block_stop", index: 7 },
    ...others,
  ];
  await using server = await startServer(answerSse(events));
  const response = responseOf(
    await collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5"))),
  );
  expect(response.message.parts).toMatchObject([{ type: "text", text: "Hello" }]);
});

test.each([
  { type: "content_block_start", index: 1, content_block: { type: "tool_use", called: "read_file" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", words: "lo" } },
])("a malformed event of a known kind is an error: %j", async (event) => {
  await using server = await startServer(answerSse([...OPENING.anthropic, piece("anthropic", "Hel"), event]));
  const events = collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5")));
  await expect(events).rejects.toMatchObject({ code: "llm.invalid_response" });
});

test("a tool call that the stream does not finish is a broken response [client-errors-3]", async () => {
  const events = [
    OPENING.anthropic[0] ?? {},
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "toolu_1", name: "read_file", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"path":' } },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  await using server = await startServer(answerSse(events));
  const error = await collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5"))).catch(
    (failure: unknown) => failure,
  );
  expect(EngineError.is(error, "llm.stream_broken") && error.message).toContain("read_file");
});

describe("two calls with one id", () => {
  async function callsOf(paths: readonly [string, string]): Promise<readonly ToolCallPart[]> {
    const parts = paths.map((path) => ({ functionCall: { name: "read_file", args: { path }, id: "same" } }));
    const answer = { responseId: "r", candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
    await using server = await startServer(answerJson(answer));
    const response = await clientOf("gemini", `${server.url}/v1beta`).complete(ask("gemini-2.5-pro"));
    return response.message.parts.filter((part) => part.type === "tool_call");
  }

  test("get two ids if they differ, so that each result matches its call", async () => {
    const calls = await callsOf(["a", "b"]);
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
    expect(calls[0]?.id).toBe("same");
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  test("count once if they are equal", async () => {
    expect(await callsOf(["a", "a"])).toHaveLength(1);
  });
});
