import type { ModelResponse, StreamEvent } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, clientOf, collect } from "./families.ts";
import { answerSse, startServer } from "./loopback-server.ts";

function finished(events: readonly StreamEvent[]): ModelResponse {
  const last = events.at(-1);
  if (last?.type === "finish") return last.response;
  throw new Error("the stream has no end");
}

const said = ({ message }: ModelResponse): unknown =>
  message.parts.flatMap((part) => (part.type === "tool_call" ? [[part.name, part.arguments]] : []));
const READ = { name: "read", arguments: '{"path":"a"}' };

test("a whole message as the only event of a stream counts as a delta", async () => {
  const message = { role: "assistant", content: "Reading.", tool_calls: [{ id: "x", function: READ }] };
  const whole = { id: "1", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  await using server = await startServer(answerSse([whole]));
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  const client = createClient({ providers: { house: provider }, defaultProvider: "house" });
  const response = finished(await collect(client.stream(ask("m"))));
  expect(said(response)).toEqual([["read", READ.arguments]]);
  expect(response.message.parts[0]).toEqual({ type: "text", text: "Reading." });
});

test("a call of Anthropic that comes twice under one id counts once, whatever the order of its keys", async () => {
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
  expect(said(response)).toEqual([["read", '{"path":"a","n":1}']]);
});
