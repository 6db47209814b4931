import { LLMock } from "@copilotkit/aimock";
import { type Client, EngineError, type Message, type ModelRequest, textOf, toolCallsOf } from "@switchyard/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, clientOf, collect, FAMILIES, type Family, READ_FILE } from "./families.ts";
import { answerJson, answerSse, sse, startServer, valueAt } from "./loopback-server.ts";
import { COMPLETE, OPENING, piece, streamOf, THOUGHTFUL } from "./wire-answers.ts";

const ONE = { id: "call_one", name: "read_file", arguments: '{"path":"a.txt"}' };
const TWO = { id: "call_two", name: "read_file", arguments: '{"path":"b.txt"}' };
const USAGE = { input_tokens: 12, output_tokens: 7, prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
const PNG = "iVBORw0KGgo=";
const SCHEMA = {
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
};

/** Paths of the tested fields in each wire format. */
const PATHS: Record<Family, Record<"texts" | "tool" | "schema", readonly (string | number)[]>> = {
  openai: {
    texts: ["input", 0, "content", 0, "text"],
    tool: ["tools", 0, "name"],
    schema: ["text", "format", "schema"],
  },
  anthropic: {
    texts: ["messages", 0, "content", 0, "text"],
    tool: ["tools", 0, "name"],
    schema: ["output_config", "format", "schema"],
  },
  gemini: {
    texts: ["contents", 0, "parts", 0, "text"],
    tool: ["tools", 0, "functionDeclarations", 0, "name"],
    schema: ["generationConfig", "responseSchema"],
  },
};

function resultOf(id: string, content: string): Message {
  return { role: "tool", parts: [{ type: "tool_result", toolCallId: id, name: "read_file", content, isError: false }] };
}

/** A client of the third-party server that records the sent bodies. */
function noting(family: Family, url: string): { client: Client; sent: unknown[] } {
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return globalThis.fetch(input, init);
  };
  return { client: clientOf(family, url, { fetch }), sent };
}

describe.each(FAMILIES)("$family, everything over HTTP", ({ family, model, base }) => {
  const mock = new LLMock({ port: 0 });
  const paths = PATHS[family];
  const open = (): { client: Client; sent: unknown[] } => noting(family, `${mock.url}${base}`);
  const withTools = (text: string): ModelRequest => ask(model, text, { tools: [READ_FILE] });
  beforeAll(async () => {
    mock.onMessage("hello", { content: "Hi there, how are you?", usage: USAGE });
    mock.onMessage("What is this?", { content: "A picture." });
    mock.onMessage("count", { content: '{"n":3}' });
    mock.addFixture({ match: { userMessage: "one call", hasToolResult: true }, response: { content: "It says A." } });
    mock.addFixture({ match: { userMessage: "one call" }, response: { toolCalls: [ONE] } });
    mock.addFixture({ match: { userMessage: "parallel" }, response: { toolCalls: [ONE, TWO] } });
    mock.addFixture({ match: { userMessage: "rounds", turnIndex: 0 }, response: { toolCalls: [ONE] } });
    mock.addFixture({ match: { userMessage: "rounds", turnIndex: 1 }, response: { toolCalls: [TWO] } });
    mock.addFixture({ match: { userMessage: "rounds", turnIndex: 2 }, response: { content: "A, then B." } });
    mock.addFixture({
      match: { userMessage: "bad key" },
      response: { status: 401, error: { message: "Incorrect API key", type: "authentication_error" } },
    });
    mock.addFixture({
      match: { userMessage: "too fast" },
      response: { status: 429, retryAfter: 3, error: { message: "Slow down", type: "rate_limit_error" } },
    });
    await mock.start();
  });
  afterAll(() => mock.stop());

  test("1. simple text [client-proof-1]", async () => {
    const { client, sent } = open();
    const response = await client.complete(ask(model));
    expect(textOf(response.message)).toBe("Hi there, how are you?");
    expect(response.finishReason.unified).toBe("stop");
    expect(valueAt(sent[0], paths.texts)).toBe("hello");
  });

  test("2. streamed text [client-proof-1]", async () => {
    const { client, sent } = open();
    const events = await collect(client.stream(ask(model)));
    const deltas = events.flatMap((event) => (event.type === "text_delta" ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Hi there, how are you?");
    expect(valueAt(sent[0], paths.texts)).toBe("hello");
  });

  test.each([
    ["3. image by bytes [client-proof-1]", { data: PNG }, PNG],
    ["4. image by address [client-proof-1]", { url: "https://example.com/a.png" }, "https://example.com/a.png"],
  ])("%s", async (_, source, wired) => {
    const { client, sent } = open();
    const parts = [
      { type: "text", text: "What is this?" } as const,
      { type: "image", mediaType: "image/png", ...source } as const,
    ];
    const response = await client.complete(ask(model, "", { messages: [{ role: "user", parts }] }));
    expect(textOf(response.message)).toBe("A picture.");
    expect(JSON.stringify(sent[0])).toContain(wired);
  });

  test("5. one tool call, its result and the answer [client-proof-1]", async () => {
    const { client, sent } = open();
    const first = withTools("one call");
    const response = await client.complete(first);
    expect(response.finishReason.unified).toBe("tool_calls");
    const [call] = toolCallsOf(response);
    expect(call).toMatchObject({ name: "read_file", arguments: ONE.arguments });
    expect(valueAt(sent[0], paths.tool)).toBe("read_file");
    const messages = [...first.messages, response.message, resultOf(call?.id ?? "", "A of the file")];
    expect(textOf((await client.complete({ ...first, messages })).message)).toBe("It says A.");
    expect(JSON.stringify(sent[1])).toContain("A of the file");
  });

  test("6. parallel calls, each answered by its own result [client-proof-1]", async () => {
    const { client, sent } = open();
    const first = withTools("parallel");
    const response = await client.complete(first);
    const calls = toolCallsOf(response);
    expect(calls.map((call) => call.arguments)).toEqual([ONE.arguments, TWO.arguments]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
    const results = calls.map((call, index) => resultOf(call.id, `result ${index}`));
    await client.complete({ ...first, messages: [...first.messages, response.message, ...results] });
    const wired = JSON.stringify(sent[1]);
    expect(wired.indexOf("result 0")).toBeGreaterThan(wired.lastIndexOf("b.txt"));
    expect(wired.indexOf("result 1")).toBeGreaterThan(wired.indexOf("result 0"));
  });

  test("7. several rounds [client-proof-1]", async () => {
    const { client, sent } = open();
    let request = withTools("rounds");
    for (const path of ["a.txt", "b.txt"]) {
      const response = await client.complete(request);
      const [call] = toolCallsOf(response);
      expect(call?.arguments).toContain(path);
      request = {
        ...request,
        messages: [...request.messages, response.message, resultOf(call?.id ?? "", `of ${path}`)],
      };
    }
    expect(textOf((await client.complete(request)).message)).toBe("A, then B.");
    const wired = JSON.stringify(sent[2]);
    expect(wired.indexOf("of a.txt")).toBeGreaterThan(0);
    expect(wired.indexOf("of b.txt")).toBeGreaterThan(wired.indexOf("of a.txt"));
  });

  test("8. streamed calls [client-calls-2] [client-proof-1]", async () => {
    const events = await collect(open().client.stream(withTools("parallel")));
    const ends = events.flatMap((event) => (event.type === "tool_call_end" ? [event] : []));
    const begun = events.flatMap((event) => (event.type === "tool_call_start" ? [event.callId] : []));
    expect(begun).toEqual(ends.map(({ callId }) => callId));
    expect(new Set(begun).size).toBe(2);
    expect(ends.map((end) => end.arguments)).toEqual([ONE.arguments, TWO.arguments]);
    for (const { callId, arguments: expected } of ends) {
      const deltas = events.flatMap((event) =>
        event.type === "tool_call_delta" && event.callId === callId ? [event.argumentsDelta] : [],
      );
      expect(deltas.join("")).toBe(expected);
    }
  });

  test("9. structured output [client-proof-1]", async () => {
    const { client, sent } = open();
    const responseFormat = { type: "json_schema", name: "count", schema: SCHEMA } as const;
    const response = await client.complete(ask(model, "count", { responseFormat }));
    expect(JSON.parse(textOf(response.message))).toEqual({ n: 3 });
    expect(valueAt(sent[0], paths.schema)).toMatchObject({ type: "object", required: ["n"] });
  });

  test("10. reasoning, its tokens and its signature [client-usage-2] [client-proof-1]", async () => {
    await using server = await startServer(answerJson(THOUGHTFUL[family]));
    const client = clientOf(family, `${server.url}${base}`);
    const response = await client.complete(ask(model, "hello", { reasoningEffort: "high" }));
    expect(response.message.parts.map((part) => part.type)).toEqual(["thinking", "text"]);
    // Anthropic counts reasoning as part of the output and reports no separate number.
    expect(response.usage.reasoningTokens).toBe(family === "anthropic" ? undefined : 5);
    expect(response.usage.outputTokens).toBe(7);
    expect(server.requests[0]?.text).toMatch(/"effort":"high"|"budget_tokens":24576|"thinkingBudget":24576/);
    await client.complete({ model, messages: [...ask(model).messages, response.message, ...ask(model).messages] });
    expect(server.requests[1]?.text).toContain("c2lnbmVk");
  });

  test("11. invalid key [client-proof-1]", async () => {
    const error = await open()
      .client.complete(ask(model, "bad key"))
      .catch((caught: unknown) => caught);
    expect(EngineError.is(error, "llm.authentication") && error.details).toMatchObject({
      status: 401,
      provider: family,
    });
    expect(EngineError.is(error) && error.retryable).toBe(false);
  });

  test("12. rate limit [client-proof-1]", async () => {
    const error = await collect(open().client.stream(ask(model, "too fast"))).catch((caught: unknown) => caught);
    expect(EngineError.is(error, "llm.rate_limited") && error.details).toMatchObject({
      status: 429,
      retryAfterMs: 3000,
    });
    expect(EngineError.is(error) && error.retryable).toBe(true);
  });

  test("13. usage, the same for complete and streamed responses [client-usage-2] [client-proof-1]", async () => {
    const { client } = open();
    const expected = { inputTokens: 12, outputTokens: 7, totalTokens: 19, model };
    expect((await client.complete(ask(model))).usage).toMatchObject(expected);
    const last = (await collect(client.stream(ask(model)))).at(-1);
    expect(last?.type === "finish" && last.response.usage).toMatchObject(expected);
  });

  test("14. caching: tokens read from the cache are reported, and the prefix stays identical byte for byte [client-usage-2] [client-proof-1]", async () => {
    await using server = await startServer((response, request) => {
      const isStream = request.path.includes("stream") || request.at("stream") === true;
      (isStream ? answerSse(streamOf(family, ["Hi"])) : answerJson(COMPLETE[family]))(response, request);
    });
    const client = clientOf(family, `${server.url}${base}`);
    const first = withTools("hello");
    const response = await client.complete(first);
    expect(response.usage.cacheReadTokens).toBe(4);
    expect(response.usage.cacheWriteTokens).toBe(family === "anthropic" ? 3 : undefined);
    await client.complete({
      ...first,
      messages: [...first.messages, response.message, ...ask(model, "go on").messages],
    });
    const [one, two] = server.requests.map(({ text }) => text.replaceAll(',"cache_control":{"type":"ephemeral"}', ""));
    const key = { openai: '"input":[', anthropic: '"messages":[', gemini: '"contents":[' }[family];
    const prefix = (one ?? "").slice((one ?? "").indexOf(key)).split("]}")[0] ?? "";
    expect(prefix).toContain("hello");
    expect(two).toContain(prefix);
    expect(server.requests[1]?.text.match(/cache_control/g)?.length ?? 0).toBe(family === "anthropic" ? 2 : 0);
  });

  test("15. provider options [client-proof-1]", async () => {
    const { client, sent } = open();
    const options = {
      openai: { parallelToolCalls: false, serviceTier: "flex" },
      anthropic: { thinking: { type: "enabled", budgetTokens: 2048 }, betaHeaders: ["context-1m-2025-08-07"] },
      gemini: { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }] },
    };
    const providerOptions = { [family]: options[family] };
    expect(textOf((await client.complete(ask(model, "hello", { providerOptions }))).message)).toContain("Hi");
    expect(sent[0]).toMatchObject(
      {
        openai: { service_tier: "flex" },
        anthropic: { thinking: { type: "enabled", budget_tokens: 2048 } },
        gemini: { safetySettings: [{ threshold: "BLOCK_NONE" }] },
      }[family],
    );
  });

  test("16. abort in mid-stream ends the call and closes the connection [client-proof-1]", async () => {
    await using server = await startServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sse([...OPENING[family], piece(family, "Hel")]));
    });
    const controller = new AbortController();
    const client = clientOf(family, `${server.url}${base}`);
    const seen: string[] = [];
    const read = async (): Promise<void> => {
      for await (const event of client.stream(ask(model, "hello", { signal: controller.signal }))) {
        if (event.type !== "text_delta") continue;
        seen.push(event.text);
        controller.abort();
      }
    };
    const error = await read().catch((caught: unknown) => caught);
    expect(EngineError.is(error, "llm.aborted")).toBe(true);
    expect(seen).toEqual(["Hel"]);
    await server.clientLeft;
  });
});
