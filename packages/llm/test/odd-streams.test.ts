import type { ModelResponse, StreamEvent } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, clientOf, collect, FAMILIES } from "./families.ts";
import { answerJson, answerSse, startServer } from "./loopback-server.ts";
import { COMPLETE, THOUGHTFUL } from "./wire-answers.ts";

function finished(events: readonly StreamEvent[]): ModelResponse {
  const last = events.at(-1);
  if (last?.type === "finish") return last.response;
  throw new Error("the stream has no end");
}

const textOf = ({ message }: ModelResponse): unknown =>
  message.parts.flatMap((part) => (part.type === "tool_call" ? [[part.name, part.arguments]] : []));
const READ = { name: "read", arguments: '{"path":"a"}' };

test("a complete message as the only event of a stream is read like a delta", async () => {
  const message = { role: "assistant", content: "Reading.", tool_calls: [{ id: "x", function: READ }] };
  const complete = { id: "1", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  await using server = await startServer(answerSse([complete]));
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  const client = createClient({ providers: { house: provider }, defaultProvider: "house" });
  const response = finished(await collect(client.stream(ask("m"))));
  expect(textOf(response)).toEqual([["read", READ.arguments]]);
  expect(response.message.parts[0]).toEqual({ type: "text", text: "Reading." });
});

test("a call of Anthropic that is repeated under one id counts once, for any order of its keys", async () => {
  const call = (index: number, text: string): object[] => [
    { type: "content_block_start", index, content_block: { type: "tool_use", id: "t1", name: "read", input: {} } },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: text } },
    { type: "content_block_stop", index },
  ];
  const events = [
    { type: "message_start", message: { id: "m", model: "x" } },
    ...call(0, '{"path":"a","n":1}'),
    ...call(1, '{"n":1,"path":"a"}'),
    { type: "message_delta", delta: { stop_reason: "tool_use" } },
    { type: "message_stop" },
  ];
  await using server = await startServer(answerSse(events));
  const client = clientOf("anthropic", `${server.url}/v1`);
  const response = finished(await collect(client.stream(ask("claude-sonnet-4-5"))));
  expect(textOf(response)).toEqual([["read", '{"path":"a","n":1}']]);
});

const CALLS = {
  openai: {
    ...COMPLETE.openai,
    output: [{ type: "function_call", id: "fc_1", call_id: "c1", name: "read", arguments: READ.arguments }],
  },
  anthropic: {
    ...COMPLETE.anthropic,
    stop_reason: "tool_use",
    content: [{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }],
  },
  gemini: {
    ...COMPLETE.gemini,
    candidates: [
      {
        content: { role: "model", parts: [{ functionCall: { name: "read", args: { path: "a" } } }] },
        finishReason: "STOP",
      },
    ],
  },
};
/** Replaces ids that the client creates, and durations. */
const comparable = (response: ModelResponse): unknown =>
  JSON.parse(
    JSON.stringify(response, (name, value: unknown) => (/^(?:id|latencyMs|headers)$/.test(name) ? undefined : value)),
  );

describe.each(FAMILIES)("a complete response to a streaming request is read: $family", ({ family, model, base }) => {
  test.each(Object.entries({ text: COMPLETE, reasoning: THOUGHTFUL, "a call": CALLS }))("%s", async (_, answers) => {
    await using server = await startServer(answerJson(answers[family]));
    const client = clientOf(family, `${server.url}${base}`);
    const complete = await client.complete(ask(model));
    const streamed = finished(await collect(client.stream(ask(model))));
    expect(comparable(streamed)).toEqual(comparable(complete));
  });
});

test("a complete chat completion as the response to a streaming request is read, but not an error", async () => {
  const message = { role: "assistant", content: "Hi.", tool_calls: [{ id: "x", type: "function", function: READ }] };
  const completion = {
    id: "1",
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
  await using server = await startServer(answerJson(completion));
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  const client = createClient({ providers: { house: provider }, defaultProvider: "house" });
  const response = finished(await collect(client.stream(ask("m"))));
  expect(textOf(response)).toEqual([["read", READ.arguments]]);
  expect(response.usage).toMatchObject({ inputTokens: 3, outputTokens: 2 });
  await using failing = await startServer(answerJson({ error: { message: "out of memory" } }));
  const other = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${failing.url}/v1` });
  const failed = createClient({ providers: { house: other }, defaultProvider: "house" }).stream(ask("m"));
  await expect(collect(failed)).rejects.toThrow("out of memory");
});

test("a stream with only the final event is a complete response", async () => {
  const response = { ...COMPLETE.openai, status: "completed" };
  await using server = await startServer(answerSse([{ type: "response.completed", response }]));
  const streamed = finished(await collect(clientOf("openai", `${server.url}/v1`).stream(ask("gpt-5.1"))));
  expect(streamed.message.parts).toMatchObject([{ type: "text", text: "Hello" }]);
});
