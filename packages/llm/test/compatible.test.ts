import { LLMock } from "@copilotkit/aimock";
import { EngineError, type Message, type ModelRequest, textMessage, textOf, toolCallsOf } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { clientFromEnv, createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, collect, KEY, READ_FILE } from "./families.ts";
import { answerJson, answerSse, type Handler, type LoopbackServer, startServer } from "./loopback-server.ts";

const MODEL = "qwen3-coder:30b";

function clientAt(server: { url: string }, apiKey?: string): ReturnType<typeof createClient> {
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1`, apiKey });
  return createClient({ providers: { house: provider }, defaultProvider: "house" });
}

const chunk = (delta: object, finish: string | null = null): object => ({
  id: "chatcmpl-1",
  created: 1,
  model: MODEL,
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 4 },
};
const LAST = { id: "chatcmpl-1", created: 1, model: MODEL, choices: [], usage: USAGE };
const COMPLETION = {
  id: "chatcmpl-1",
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: USAGE,
};

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  const error = await promise.catch((caught: unknown) => caught);
  if (EngineError.is(error)) return error;
  throw new Error("it did not fail as it should", { cause: error });
}

async function streamed(handler: Handler, request: Partial<ModelRequest> = {}) {
  await using server = await startServer(handler);
  const events = await collect(clientAt(server).stream(ask(MODEL, "hello", request)));
  const last = events.at(-1);
  if (last?.type !== "finish") throw new Error("the stream did not finish");
  return { events, response: last.response, server };
}

test("a server without a key receives no key, and the usage in the last chunk is counted", async () => {
  const { response, server } = await streamed(
    answerSse([chunk({ role: "assistant", content: "Hi." }), chunk({}, "stop"), LAST]),
  );
  expect(textOf(response.message)).toBe("Hi.");
  expect(response).toMatchObject({ provider: "house", model: MODEL, finishReason: { unified: "stop" } });
  expect(response.usage).toMatchObject({
    inputTokens: 20,
    outputTokens: 9,
    totalTokens: 29,
    cacheReadTokens: 5,
    reasoningTokens: 4,
  });
  const [seen] = server.requests;
  expect(seen?.path).toBe("/v1/chat/completions");
  expect(seen?.headers).not.toHaveProperty("authorization");
  expect(seen?.json).toMatchObject({ model: MODEL, stream: true, stream_options: { include_usage: true } });
});

test("a key is sent to a server that requires one, and is in no error", async () => {
  await using server = await startServer(answerJson({ error: { message: `bad key ${KEY}`, code: 401 } }, 401));
  const error = await failure(clientAt(server, KEY).complete(ask(MODEL)));
  expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${KEY}`);
  expect(error.code).toBe("llm.authentication");
  expect(`${error.message} ${error.remedy}`).toContain("the API key of house");
  expect(JSON.stringify(error.details)).not.toContain(KEY);
});

test.each(["reasoning_content", "reasoning"])(
  "reasoning in %s is returned as reasoning, and sent back to the model that created it",
  async (field) => {
    const { events, response } = await streamed(
      answerSse([
        chunk({ [field]: "Let me " }),
        chunk({ [field]: "see." }),
        chunk({ content: "Yes." }),
        chunk({}, "stop"),
        LAST,
      ]),
    );
    expect(response.message.parts).toMatchObject([
      { type: "thinking", text: "Let me see." },
      { type: "text", text: "Yes." },
    ]);
    expect(events.map((event) => event.type).filter((type) => type.startsWith("reasoning"))).toEqual([
      "reasoning_start",
      "reasoning_delta",
      "reasoning_delta",
      "reasoning_end",
    ]);
    await using server = await startServer(answerJson(COMPLETION));
    const messages = [textMessage("user", "hello"), response.message, textMessage("user", "go on")];
    await clientAt(server).complete({ model: MODEL, messages });
    await clientAt(server).complete({ model: "another", messages });
    expect(server.requests[0]?.json).toMatchObject({
      messages: [{}, { role: "assistant", content: "Yes.", [field]: "Let me see." }, {}],
    });
    expect(server.requests[1]?.text).not.toContain("Let me see.");
  },
);

test("a refusal is the model's text with the reason filtered, complete and streamed", async () => {
  const { events, response } = await streamed(
    answerSse([chunk({ role: "assistant", refusal: "I " }), chunk({ refusal: "cannot." }), chunk({}, "stop"), LAST]),
  );
  const message = { role: "assistant", content: null, refusal: "I cannot." };
  await using server = await startServer(
    answerJson({ ...COMPLETION, choices: [{ index: 0, message, finish_reason: "stop" }] }),
  );
  const completion = await clientAt(server).complete(ask(MODEL));
  for (const { message: reply, finishReason } of [response, completion]) {
    expect(reply.parts).toEqual([{ type: "text", text: "I cannot." }]);
    expect(finishReason).toEqual({ unified: "content_filter", raw: "stop" });
  }
  expect(events.map(({ type }) => type)).toEqual(["stream_start", "text_start", "text_delta", "text_end", "finish"]);
});

test("calls without ids get one each, and their results find them [client-messages-8]", async () => {
  const call = (index: number, path: string): object => ({
    index,
    function: { name: "read_file", arguments: JSON.stringify({ path }) },
  });
  const { response } = await streamed(
    answerSse([
      chunk({ tool_calls: [call(0, "a")] }),
      chunk({ tool_calls: [call(1, "b")] }),
      chunk({}, "tool_calls"),
      LAST,
    ]),
    { tools: [READ_FILE] },
  );
  const calls = toolCallsOf(response);
  expect(calls.map((made) => made.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
  expect(new Set(calls.map((made) => made.id)).size).toBe(2);
  expect(calls.every((made) => made.id !== "")).toBe(true);
  const results: Message[] = calls.map(({ id, name }) => ({
    role: "tool",
    parts: [{ type: "tool_result", toolCallId: id, name, content: `of ${id}`, isError: false }],
  }));
  await using server = await startServer(answerJson(COMPLETION));
  await clientAt(server).complete({
    model: MODEL,
    messages: [textMessage("user", "go"), response.message, ...results],
  });
  expect(server.requests[0]?.json).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        tool_calls: calls.map(({ id }, index) => ({
          id,
          type: "function",
          function: { name: "read_file", arguments: `{"path":"${"ab"[index]}"}` },
        })),
      },
      ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: `of ${id}` })),
    ],
  });
});

test("instructions become one message at the start, later ones user text", async () => {
  await using server = await startServer(answerJson(COMPLETION));
  const messages = [
    textMessage("system", "S1"),
    textMessage("developer", "D1"),
    textMessage("user", "U1"),
    textMessage("system", "S2"),
  ];
  await clientAt(server).complete({ model: MODEL, messages });
  expect(server.requests[0]?.json).toMatchObject({
    messages: [
      { role: "system", content: "S1\n\nD1" },
      { role: "user", content: "U1" },
      { role: "user", content: "<system>\nS2\n</system>" },
    ],
  });
});

test("the images of a tool follow its result, for servers whose results are texts", async () => {
  await using server = await startServer(answerJson(COMPLETION));
  const image = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const messages: Message[] = [
    textMessage("user", "go"),
    {
      role: "assistant",
      parts: ["c1", "c2"].map((id) => ({ type: "tool_call" as const, id, name: "read_file", arguments: "{}" })),
    },
    {
      role: "tool",
      parts: [
        { type: "tool_result", toolCallId: "c1", name: "read_file", content: "see", isError: false, images: [image] },
      ],
    },
  ];
  const second = { type: "tool_result", toolCallId: "c2", name: "read_file", content: "two", isError: false } as const;
  messages.push({ role: "tool", parts: [second] });
  await clientAt(server).complete({ model: MODEL, messages });
  expect(server.requests[0]?.json).toMatchObject({
    messages: [
      {},
      {},
      { role: "tool", tool_call_id: "c1", content: "see" },
      { role: "tool", tool_call_id: "c2", content: "two" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }] },
    ],
  });
});

test("settings, a schema, a named tool and raw fields reach the server", async () => {
  await using server = await startServer(answerJson(COMPLETION));
  const schema = {
    type: "object",
    properties: { n: { type: "number" } },
    required: ["n"],
    additionalProperties: false,
  };
  const { warnings } = await clientAt(server).complete(
    ask(MODEL, "hello", {
      tools: [READ_FILE],
      toolChoice: { tool: "read_file" },
      responseFormat: { type: "json_schema", name: "count", schema },
      temperature: 0.2,
      topP: 0.9,
      maxTokens: 99,
      stopSequences: ["END"],
      reasoningEffort: "low",
      metadata: { case: "7" },
      providerOptions: { house: { top_k: 20, headers: { "x-trace": "1" } }, "openai-compatible": { min_p: 0.1 } },
    }),
  );
  expect(server.requests[0]?.json).toMatchObject({
    tool_choice: { type: "function", function: { name: "read_file" } },
    response_format: { type: "json_schema", json_schema: { name: "count", schema } },
    temperature: 0.2,
    top_p: 0.9,
    max_tokens: 99,
    stop: ["END"],
    reasoning_effort: "low",
    top_k: 20,
    min_p: 0.1,
  });
  expect(server.requests[0]?.headers["x-trace"]).toBe("1");
  expect(warnings.join()).toContain("metadata case");
});

test.each([
  [
    "in a stream",
    answerSse([chunk({ content: "H" }), { error: { message: "Slow down", code: 429 } }]),
    "llm.rate_limited",
  ],
  ["under a good status", answerJson({ error: { message: "Upstream is down", code: 502 } }), "llm.server_error"],
  ["as a text", answerJson({ error: "model 'nope' not found" }, 404), "llm.not_found"],
  [
    "to name a tool",
    answerSse([
      chunk({ tool_calls: [{ index: 0, id: "c1", function: { arguments: "{}" } }] }),
      chunk({}, "tool_calls"),
    ]),
    "llm.invalid_tool_call",
  ],
  ["that is half a stream", answerSse([chunk({ content: "H" })]), "llm.stream_broken"],
] as const)("a failure %s is typed", async (_, handler, code) => {
  await using server = await startServer(handler);
  const error = await failure(
    code === "llm.server_error" ? clientAt(server).complete(ask(MODEL)) : collect(clientAt(server).stream(ask(MODEL))),
  );
  expect(error.code).toBe(code);
  expect(error.retryable).toBe(code !== "llm.not_found");
});

test("a third-party mock of chat completions is understood", async () => {
  const mock = new LLMock({ port: 0 });
  mock.onMessage("hello", { content: "Hi there." });
  mock.addFixture({
    match: { userMessage: "call" },
    response: { toolCalls: [{ id: "c1", name: "read_file", arguments: '{"path":"a"}' }] },
  });
  await mock.start();
  try {
    expect(textOf((await clientAt(mock).complete(ask(MODEL))).message)).toBe("Hi there.");
    const events = await collect(clientAt(mock).stream(ask(MODEL, "call", { tools: [READ_FILE] })));
    expect(events.find((event) => event.type === "tool_call_end")).toMatchObject({
      callId: "c1",
      arguments: '{"path":"a"}',
    });
  } finally {
    await mock.stop();
  }
});

async function providerOf(env: Record<string, string>, server: LoopbackServer): Promise<string> {
  const response = await clientFromEnv(env).complete(ask(MODEL));
  expect(server.requests.at(-1)?.path).toBe("/v1/chat/completions");
  return response.provider;
}

test("servers are found in the environment, after the vendors", async () => {
  await using server = await startServer(answerJson(COMPLETION));
  const address = `${server.url}/v1`;
  expect(await providerOf({ OLLAMA_BASE_URL: address }, server)).toBe("ollama");
  expect(await providerOf({ VLLM_BASE_URL: address, OPENAI_COMPATIBLE_BASE_URL: address }, server)).toBe("vllm");
  expect(await providerOf({ LLAMA_CPP_BASE_URL: address }, server)).toBe("llama.cpp");
  expect(await providerOf({ OPENAI_COMPATIBLE_BASE_URL: address }, server)).toBe("openai-compatible");
  expect(await providerOf({ OPENROUTER_API_KEY: KEY, OPENROUTER_BASE_URL: address }, server)).toBe("openrouter");
  expect(server.requests.at(-1)?.headers["authorization"]).toBe(`Bearer ${KEY}`);
});

test("a missing key or address is named", async () => {
  const client = clientFromEnv({});
  expect(await failure(client.complete({ ...ask(MODEL), provider: "openrouter" }))).toMatchObject({
    code: "model.missing_key",
    details: { variable: "OPENROUTER_API_KEY" },
  });
  expect(await failure(client.complete({ ...ask(MODEL), provider: "openai-compatible" }))).toMatchObject({
    code: "model.missing_address",
    details: { variable: "OPENAI_COMPATIBLE_BASE_URL" },
  });
  expect((await failure(client.complete(ask(MODEL)))).code).toBe("model.missing_provider");
});
