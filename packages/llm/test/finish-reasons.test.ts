import type { Client, ModelResponse } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, collect } from "./families.ts";
import { answerJson, answerSse, type LoopbackServer, startServer } from "./loopback-server.ts";

function clientFor(server: LoopbackServer): Client {
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  return createClient({ providers: { house: provider }, defaultProvider: "house" });
}

async function completed(body: unknown): Promise<ModelResponse> {
  await using server = await startServer(answerJson(body));
  return await clientFor(server).complete(ask("m"));
}

describe("the finish reason `stop` of a response with tool calls", () => {
  const call = { index: 0, id: "a", type: "function", function: { name: "read", arguments: '{"path":"a"}' } };

  test("becomes `tool_calls` in a complete response", async () => {
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const response = await completed({ id: "1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] });
    expect(response.finishReason).toEqual({ unified: "tool_calls", raw: "stop" });
  });

  test("becomes `tool_calls` in a streamed response", async () => {
    const chunks = [
      { id: "1", choices: [{ index: 0, delta: { tool_calls: [call] } }] },
      { id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
    ];
    await using server = await startServer(answerSse(chunks));
    const events = await collect(clientFor(server).stream(ask("m")));
    expect(events.at(-1)).toMatchObject({
      type: "finish",
      response: { finishReason: { unified: "tool_calls", raw: "stop" } },
    });
  });

  test("stays `stop` without calls", async () => {
    const message = { role: "assistant", content: "done" };
    const response = await completed({ id: "1", model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] });
    expect(response.finishReason).toEqual({ unified: "stop", raw: "stop" });
  });
});
