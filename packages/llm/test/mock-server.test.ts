import { LLMock } from "@copilotkit/aimock";
import { EngineError, type Message, textOf, toolCallsOf } from "@switchyard/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, clientOf, collect, FAMILIES, READ_FILE } from "./families.ts";

const CALLS = [
  { id: "call_one", name: "read_file", arguments: '{"path":"a.txt"}' },
  { id: "call_two", name: "read_file", arguments: '{"path":"b.txt"}' },
];
const USAGE = { input_tokens: 12, output_tokens: 7, prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };

describe.each(FAMILIES)("a third-party mock of $family over HTTP", ({ family, model, base }) => {
  const mock = new LLMock({ port: 0 });
  beforeAll(async () => {
    mock.onMessage("hello", { content: "Hi there, how are you today?", usage: USAGE });
    mock.addFixture({
      match: { userMessage: "one call", hasToolResult: false },
      response: { toolCalls: CALLS.slice(0, 1) },
    });
    mock.addFixture({
      match: { userMessage: "one call", hasToolResult: true },
      response: { content: "The file says A." },
    });
    mock.addFixture({ match: { userMessage: "two calls" }, response: { toolCalls: CALLS } });
    mock.addFixture({
      match: { userMessage: "refuse" },
      response: { status: 429, retryAfter: 7, error: { message: "Slow down", type: "rate_limit_error" } },
    });
    mock.addFixture({
      match: { userMessage: "fail" },
      response: { status: 500, error: { message: "Boom", type: "server_error" } },
    });
    await mock.start();
  });
  afterAll(() => mock.stop());

  const client = (): ReturnType<typeof clientOf> => clientOf(family, `${mock.url}${base}`);

  test("answers with text, reason and usage", async () => {
    const response = await client().complete(ask(model));
    expect(textOf(response.message)).toBe("Hi there, how are you today?");
    expect(response).toMatchObject({ provider: family, finishReason: { unified: "stop" } });
    expect(response.usage).toMatchObject({ inputTokens: 12, outputTokens: 7, totalTokens: 19 });
    expect(response.message.origin).toEqual({ provider: family, model });
  });

  test("streams the same text in order", async () => {
    const events = await collect(client().stream(ask(model)));
    const types = events.map((event) => event.type);
    expect(types[0]).toBe("stream_start");
    expect(types.at(-1)).toBe("finish");
    expect(types.indexOf("text_start")).toBeLessThan(types.indexOf("text_delta"));
    expect(types.lastIndexOf("text_delta")).toBeLessThan(types.indexOf("text_end"));
    const deltas = events.flatMap((event) => (event.type === "text_delta" ? [event.text] : []));
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.join("")).toBe("Hi there, how are you today?");
    const finish = events.at(-1);
    expect(finish?.type === "finish" && finish.response.usage.totalTokens).toBe(19);
  });

  test("calls a tool, receives its result and responds", async () => {
    const first = ask(model, "one call", { tools: [READ_FILE] });
    const response = await client().complete(first);
    expect(response.finishReason.unified).toBe("tool_calls");
    const [call] = toolCallsOf(response);
    expect(call).toMatchObject({ type: "tool_call", name: "read_file", arguments: '{"path":"a.txt"}' });
    const result: Message = {
      role: "tool",
      parts: [{ type: "tool_result", toolCallId: call?.id ?? "", name: "read_file", content: "A", isError: false }],
    };
    const answer = await client().complete({ ...first, messages: [...first.messages, response.message, result] });
    expect(textOf(answer.message)).toBe("The file says A.");
  });

  test("streams parallel calls, each complete and in order", async () => {
    const events = await collect(client().stream(ask(model, "two calls", { tools: [READ_FILE] })));
    const ends = events.flatMap((event) => (event.type === "tool_call_end" ? [event] : []));
    expect(ends.map((end) => end.arguments)).toEqual(['{"path":"a.txt"}', '{"path":"b.txt"}']);
    for (const end of ends) {
      const deltas = events.flatMap((event) =>
        event.type === "tool_call_delta" && event.callId === end.callId ? [event.argumentsDelta] : [],
      );
      expect(deltas.join("")).toBe(end.arguments);
    }
    expect(new Set(ends.map((end) => end.callId)).size).toBe(2);
    const finish = events.at(-1);
    expect(finish?.type === "finish" && finish.response.finishReason.unified).toBe("tool_calls");
  });

  test("a rate limit and a server failure are typed errors", async () => {
    const limited = await client()
      .complete(ask(model, "refuse"))
      .catch((error: unknown) => error);
    expect(EngineError.is(limited, "llm.rate_limited") && limited.details).toMatchObject({
      status: 429,
      retryAfterMs: 7000,
    });
    const failed = await collect(client().stream(ask(model, "fail"))).catch((error: unknown) => error);
    expect(EngineError.is(failed, "llm.server_error") && failed.details).toMatchObject({
      status: 500,
      problem: "Boom",
    });
  });
});
