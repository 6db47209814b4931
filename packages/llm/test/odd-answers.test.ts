import {
  type Client,
  EngineError,
  type ModelResponse,
  type StreamEvent,
  type ToolCallPart,
} from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, clientOf, collect, type Family } from "./families.ts";
import { answerJson, answerSse, type Handler, type LoopbackServer, startServer } from "./loopback-server.ts";
import { COMPLETE } from "./wire-answers.ts";

function house(server: LoopbackServer): Client {
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  return createClient({ providers: { house: provider }, defaultProvider: "house" });
}

const finished = (events: readonly StreamEvent[]): ModelResponse => {
  const last = events.at(-1);
  if (last?.type === "finish") return last.response;
  throw new Error("the stream has no end");
};

const callsIn = ({ message }: ModelResponse): readonly ToolCallPart[] =>
  message.parts.filter((part) => part.type === "tool_call");
const callsOf = (response: ModelResponse): unknown =>
  callsIn(response).map(({ name, arguments: text }) => [name, text]);

async function completed(body: unknown): Promise<ModelResponse> {
  await using server = await startServer(answerJson(body));
  return await house(server).complete(ask("m"));
}

async function streamed(
  ...deltas: readonly (readonly object[])[]
): Promise<{ response: ModelResponse; events: StreamEvent[] }> {
  const chunks = deltas.map((calls) => ({ id: "1", choices: [{ index: 0, delta: { tool_calls: calls } }] }));
  const end = { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] };
  await using server = await startServer(answerSse([...chunks, end]));
  const events = await collect(house(server).stream(ask("m")));
  return { response: finished(events), events };
}

const chat = (message: object, more: object = {}): object => ({
  id: "1",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "tool_calls" }],
  ...more,
});

const READ = { name: "read", arguments: '{"path":"a"}' };

describe("calls of a whole chat completion", () => {
  test.each<readonly [string, readonly object[], readonly (readonly [string, string])[]]>([
    [
      "arguments that are an object",
      [{ id: "a", function: { name: "read", arguments: { path: "a" } } }],
      [["read", READ.arguments]],
    ],
    ["no arguments", [{ id: "a", function: { name: "list" } }], [["list", "{}"]]],
    ["null for arguments", [{ id: "a", function: { name: "list", arguments: null } }], [["list", "{}"]]],
    [
      "a name beside the function",
      [{ id: "a", type: "function", name: "read", arguments: { path: "a" } }],
      [["read", READ.arguments]],
    ],
    ["a number for an id", [{ id: 7, function: READ }], [["read", READ.arguments]]],
    [
      "no id",
      [{ function: READ }, { id: "", function: READ }],
      [
        ["read", READ.arguments],
        ["read", READ.arguments],
      ],
    ],
  ])("are understood with %s", async (_, calls, expected) => {
    const response = await completed(chat({ tool_calls: calls }));
    expect(callsOf(response)).toEqual(expected);
    expect(new Set(callsIn(response).map(({ id }) => id)).size).toBe(expected.length);
  });

  test("a call that is in no list is a call", async () => {
    expect(callsOf(await completed(chat({ tool_calls: { id: "a", function: READ } })))).toEqual([
      ["read", READ.arguments],
    ]);
    expect(callsOf(await completed(chat({ function_call: READ })))).toEqual([["read", READ.arguments]]);
  });

  test("a repeated id is one call if the contents are equal and two calls otherwise", async () => {
    const same = { id: "a", function: READ };
    const other = { id: "a", function: { name: "read", arguments: '{"path":"b"}' } };
    expect(callsOf(await completed(chat({ tool_calls: [same, same] })))).toEqual([["read", READ.arguments]]);
    const spaced = { id: "a", function: { name: "read", arguments: '{ "n": 1, "path": "a" }' } };
    const ordered = { id: "a", function: { name: "read", arguments: '{"path":"a","n":1}' } };
    expect(callsOf(await completed(chat({ tool_calls: [spaced, ordered] })))).toHaveLength(1);
    const calls = callsIn(await completed(chat({ tool_calls: [same, other] })));
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
    expect(calls[0]?.id).toBe("a");
    expect(calls[1]?.id).not.toBe("a");
  });

  test("fields that decorate are corrected or dropped", async () => {
    const usage = { prompt_tokens: "12", completion_tokens: 3, prompt_tokens_details: "none" };
    const more = { id: 9, created: "2026-01-01", model: null, usage, system_fingerprint: {} };
    const response = await completed(
      chat({ role: "model", content: { type: "text", text: "Hi" }, reasoning: {} }, more),
    );
    expect(response.message.parts).toEqual([{ type: "text", text: "Hi" }]);
    expect(response.usage).toMatchObject({ inputTokens: 12, outputTokens: 3 });
  });
});

describe("calls of a streamed chat completion", () => {
  const start = (fields: object, name: string, text = ""): object => ({
    ...fields,
    function: { name, arguments: text },
  });
  const more = (fields: object, text: string): object => ({ ...fields, function: { arguments: text } });
  const TWO = [
    ["read", '{"path":"a"}'],
    ["list", '{"dir":"b"}'],
  ];

  test.each<readonly [string, readonly (readonly object[])[]]>([
    [
      "all with index 0, told apart by id",
      [
        [start({ index: 0, id: "x" }, "read")],
        [start({ index: 0, id: "y" }, "list")],
        [more({ index: 0, id: "x" }, '{"path":')],
        [more({ index: 0, id: "y" }, '{"dir":')],
        [more({ index: 0, id: "x" }, '"a"}')],
        [more({ index: 0, id: "y" }, '"b"}')],
      ],
    ],
    [
      "all with index 0, one after the other, the id only at the start",
      [
        [start({ index: 0, id: "x" }, "read")],
        [more({ index: 0 }, '{"path":"a"}')],
        [start({ index: 0, id: "y" }, "list")],
        [more({ index: 0 }, '{"dir":')],
        [more({ index: 0 }, '"b"}')],
      ],
    ],
    [
      "all with index 0, begun together, arguments in their order",
      [
        [start({ index: 0, id: "x" }, "read"), start({ index: 0, id: "y" }, "list")],
        [more({ index: 0 }, '{"path":"a"}')],
        [more({ index: 0 }, '{"dir":"b"}')],
      ],
    ],
    [
      "all with index 0, side by side in every event",
      [
        [start({ index: 0, id: "x" }, "read"), start({ index: 0, id: "y" }, "list")],
        [more({ index: 0 }, '{"path":'), more({ index: 0 }, '{"dir":')],
        [more({ index: 0 }, '"a"}'), more({ index: 0 }, '"b"}')],
      ],
    ],
    [
      "without index, told apart by id",
      [
        [start({ id: "x" }, "read")],
        [start({ id: "y" }, "list")],
        [more({ id: "y" }, '{"dir":"b"}')],
        [more({ id: "x" }, '{"path":"a"}')],
      ],
    ],
    ["without index and id, each whole", [[start({}, "read", '{"path":"a"}')], [start({}, "list", '{"dir":"b"}')]]],
    [
      "without index and id, in pieces",
      [[start({}, "read")], [more({}, '{"path":"a"}')], [start({}, "list")], [more({}, '{"dir":"b"}')]],
    ],
    [
      "with the name in every piece",
      [
        [start({ index: 0, id: "x" }, "read", '{"path"')],
        [start({ index: 0, id: "x" }, "read", ':"a"}')],
        [start({ index: 1, id: "y" }, "list", '{"dir"')],
        [start({ index: 1, id: "y" }, "list", ':"b"}')],
      ],
    ],
    [
      "with a new id in every piece",
      [
        [start({ index: 0, id: "x1" }, "read")],
        [more({ index: 0, id: "x2" }, '{"path"')],
        [more({ index: 0, id: "x3" }, ':"a"}')],
        [start({ index: 1, id: "y1" }, "list")],
        [more({ index: 1, id: "y2" }, '{"dir":"b"}')],
      ],
    ],
    [
      "with an index as text",
      [
        [start({ index: "0", id: "x" }, "read", '{"path":"a"}')],
        [start({ index: "1", id: "y" }, "list", '{"dir":"b"}')],
      ],
    ],
    [
      "with arguments as objects",
      [
        [{ index: 0, id: "x", function: { name: "read", arguments: { path: "a" } } }],
        [{ index: 0, id: "y", function: { name: "list", arguments: { dir: "b" } } }],
      ],
    ],
    [
      "as documented",
      [
        [start({ index: 0, id: "x" }, "read")],
        [more({ index: 0 }, '{"path":"a"}')],
        [start({ index: 1, id: "y" }, "list")],
        [more({ index: 1 }, '{"dir":"b"}')],
      ],
    ],
    [
      "as documented, interleaved",
      [
        [start({ index: 0, id: "x" }, "read")],
        [start({ index: 1, id: "y" }, "list")],
        [more({ index: 1 }, '{"dir":')],
        [more({ index: 0 }, '{"path":"a"}')],
        [more({ index: 1 }, '"b"}')],
      ],
    ],
  ])("keep their arguments: %s", async (_, deltas) => {
    const { response, events } = await streamed(...deltas);
    expect(callsOf(response)).toEqual(TWO);
    const ends = events.filter((event) => event.type === "tool_call_end");
    expect(ends.map(({ callId }) => callId)).toHaveLength(2);
  });

  test("a call with a used id runs once if the content is equal, and gets a new id otherwise", async () => {
    const again = await streamed(
      [start({ index: 0, id: "x" }, "read")],
      [more({ index: 0 }, '{"path":"a"}')],
      [start({ index: 1, id: "x" }, "read")],
      [more({ index: 1 }, '{"path":"a"}')],
    );
    expect(callsOf(again.response)).toEqual([["read", '{"path":"a"}']]);
    expect(again.events.filter(({ type }) => type === "tool_call_start")).toHaveLength(1);
    const written = await streamed(
      [start({ index: 0, id: "x" }, "read", '{"path":"a","n":1}')],
      [start({ index: 1, id: "x" }, "read", '{ "n": 1, "path": "a" }')],
    );
    expect(callsOf(written.response)).toEqual([["read", '{"path":"a","n":1}']]);
    const other = await streamed(
      [start({ index: 0, id: "x" }, "read", '{"path":"a"}')],
      [start({ index: 0, id: "x" }, "read", '{"path":"b"}')],
    );
    expect(callsOf(other.response)).toEqual([
      ["read", '{"path":"a"}'],
      ["read", '{"path":"b"}'],
    ]);
    expect(new Set(callsIn(other.response).map(({ id }) => id)).size).toBe(2);
  });

  test("an event is corrected, wherever its bytes are split", async () => {
    const call = { index: 0, id: "x", function: { name: "read", arguments: { path: "ä€😀" } } };
    const body = `data: ${JSON.stringify({ id: "1", choices: [{ delta: { tool_calls: [call] } }] })}\r\n\r\ndata: ${JSON.stringify({ id: "1", choices: [{ delta: {}, finish_reason: "tool_calls" }] })}\r\n\r\ndata: [DONE]\r\n\r\n`;
    const bytes = Buffer.from(body);
    for (let size = 1; size < 40; size += 6) {
      await using server = await startServer((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
        response.end();
      });
      expect(callsOf(finished(await collect(house(server).stream(ask("m")))))).toEqual([["read", '{"path":"ä€😀"}']]);
    }
  });
});

describe("Responses API of gateways", () => {
  const message = { type: "message", content: [{ type: "output_text", text: "Hello" }] };
  const call = { type: "function_call", call_id: "c1", name: "read", arguments: { path: "a" } };

  async function both(complete: object, events: readonly object[]): Promise<readonly ModelResponse[]> {
    await using server = await startServer((response, request) => {
      const handle: Handler = request.at("stream") === true ? answerSse(events) : answerJson(complete);
      handle(response, request);
    });
    const client = clientOf("openai", `${server.url}/v1`);
    return [await client.complete(ask("gpt-5.1")), finished(await collect(client.stream(ask("gpt-5.1"))))];
  }

  test("may lack ids, annotations, times and usage", async () => {
    const events = [
      { type: "response.created", response: {} },
      { type: "response.output_item.added", output_index: 0, item: { type: "message" } },
      { type: "response.output_text.delta", output_index: 0, delta: "Hel" },
      { type: "response.output_text.delta", delta: "lo" },
      { type: "response.output_item.done", output_index: 0, item: message },
      { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
      { type: "response.function_call_arguments.delta", output_index: 1, delta: '{"path":"a"}' },
      { type: "response.output_item.done", output_index: 1, item: call },
      { type: "response.completed", response: {} },
    ];
    for (const response of await both({ created_at: null, output: [message, call] }, events)) {
      expect(response.message.parts.map((part) => (part.type === "text" ? part.text : part.type))).toEqual([
        "Hello",
        "tool_call",
      ]);
      expect(callsOf(response)).toEqual([["read", '{"path":"a"}']]);
    }
  });

  test("get back no id that they did not give", async () => {
    await using server = await startServer(answerJson({ output: [message, call] }));
    const client = clientOf("openai", `${server.url}/v1`);
    const { message: first } = await client.complete(ask("gpt-5.1"));
    const result = { type: "tool_result" as const, toolCallId: "c1", name: "read", content: "text", isError: false };
    await client.complete({ model: "gpt-5.1", messages: [first, { role: "tool", parts: [result] }] });
    expect(server.requests[1]?.text).not.toContain("made_up");
    expect(server.requests[1]?.at("input", "*", "type")).toContain("function_call");
  });
});

describe("Anthropic's Messages API", () => {
  const content = [
    { type: "hologram", data: 1 },
    { type: "text", text: "Hi", citations: null },
    { type: "tool_use", id: "t1", name: "read", input: '{"path":"a"}' },
  ];

  test("of gateways may have blocks of new kinds, arguments as text and no usage", async () => {
    await using server = await startServer(answerJson({ id: "m", content, stop_reason: "tool_use" }));
    const response = await clientOf("anthropic", `${server.url}/v1`).complete(ask("claude-sonnet-4-5"));
    expect(response.message.parts.map(({ type }) => type)).toEqual(["text", "tool_call"]);
    expect(callsOf(response)).toEqual([["read", '{"path":"a"}']]);
  });

  test("may have no usage in a stream", async () => {
    const events = [
      { type: "message_start", message: { id: "m", model: "x" } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
      { type: "message_stop" },
    ];
    await using server = await startServer(answerSse(events));
    const response = finished(
      await collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5"))),
    );
    expect(response.message.parts).toMatchObject([{ type: "text", text: "Hi" }]);
  });
});

test("Gemini's arguments may be a text", async () => {
  const parts = [{ functionCall: { name: "read", args: '{"path":"a"}' } }];
  const complete = { candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
  await using server = await startServer((response, request) =>
    (request.path.includes("stream") ? answerSse([complete]) : answerJson(complete))(response, request),
  );
  const client = clientOf("gemini", `${server.url}/v1beta`);
  expect(callsOf(await client.complete(ask("gemini-2.5-pro")))).toEqual([["read", '{"path":"a"}']]);
  expect(callsOf(finished(await collect(client.stream(ask("gemini-2.5-pro")))))).toEqual([["read", '{"path":"a"}']]);
});

describe("a response that cannot be understood", () => {
  test.each<readonly [Family | "house", object, string]>([
    [
      "house",
      chat({ tool_calls: [{ id: "a", function: { name: 7, arguments: "{}" } }] }),
      "choices[0].message.tool_calls[0].function.name",
    ],
    ["house", { choices: [{ message: "hi" }] }, "choices[0].message"],
    [
      "openai",
      { ...COMPLETE.openai, output: [{ type: "message", content: [{ type: "output_text", text: 7 }] }] },
      "output[0].content[0].text",
    ],
    ["anthropic", { ...COMPLETE.anthropic, content: [{ type: "text", text: 7 }] }, "content[0].text"],
    ["gemini", { candidates: 7 }, "candidates"],
  ])("of %s is refused with the path of the wrong field", async (family, body, path) => {
    await using server = await startServer(answerJson(body));
    const client = family === "house" ? house(server) : clientOf(family, `${server.url}/v1`);
    const error = await client.complete(ask("m")).catch((failure: unknown) => failure);
    expect(EngineError.is(error) && String(error.details["problem"])).toContain(` at ${path}`);
  });
});
