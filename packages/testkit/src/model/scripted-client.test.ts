import {
  EngineError,
  type ModelRequest,
  type StreamEvent,
  textMessage,
  textOf,
  toolCallsOf,
} from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { answer, failure, reasoning, scriptedClient, text, toolCall, toolCalls } from "../index.ts";

const request: ModelRequest = { model: "m", messages: [textMessage("user", "hello")] };

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

describe("answers", () => {
  test("the script is played step by step", async () => {
    const client = scriptedClient([toolCall("shell", { command: "ls" }), text("done")]);
    const first = await client.complete(request);
    expect(toolCallsOf(first)).toEqual([
      { type: "tool_call", id: "call_1", name: "shell", arguments: '{"command":"ls"}' },
    ]);
    expect([first.finishReason.unified, first.provider, first.model]).toEqual(["tool_calls", "scripted", "m"]);
    expect(client.remaining).toBe(1);
    const second = await client.complete(request);
    expect([textOf(second.message), second.finishReason.unified, client.remaining]).toEqual(["done", "stop", 0]);
    expect(second.usage.totalTokens).toBe(second.usage.inputTokens + second.usage.outputTokens);
    expect(second.usage.totalTokens).toBeGreaterThan(0);
  });

  test("calls get unique ids unless the script names them, and broken arguments stay broken", async () => {
    const client = scriptedClient([
      toolCalls([
        { name: "a", arguments: {} },
        { name: "b", arguments: "{broken" },
      ]),
      toolCall("c", {}, { id: "mine" }),
      toolCall("d"),
    ]);
    const calls = [
      await client.complete(request),
      await client.complete(request),
      await client.complete(request),
    ].flatMap(toolCallsOf);
    expect(calls.map(({ id, arguments: input }) => [id, input])).toEqual([
      ["call_1", "{}"],
      ["call_2", "{broken"],
      ["mine", "{}"],
      ["call_3", "{}"],
    ]);
  });

  test("one response can have several parts, and a step can inspect the request", async () => {
    const client = scriptedClient([
      answer(reasoning("hm"), text("let me see"), toolCall("shell")),
      (request) => text(`you said ${textOf(request.messages.at(-1) ?? { parts: [] })}`),
    ]);
    expect((await client.complete(request)).message.parts.map((part) => part.type)).toEqual([
      "thinking",
      "text",
      "tool_call",
    ]);
    expect(textOf((await client.complete(request)).message)).toBe("you said hello");
  });

  test("provider and model can be set", async () => {
    const client = scriptedClient([text("a")], { provider: "openai", model: "other" });
    expect(await client.complete(request)).toMatchObject({
      provider: "openai",
      model: "other",
      message: { origin: { provider: "openai", model: "other" } },
    });
  });
});

describe("streams", () => {
  test("joined increments equal the response, which comes last", async () => {
    const client = scriptedClient(
      [answer(reasoning("thinking hard"), text("a longer text"), toolCall("shell", { command: "ls -la" }))],
      { chunkSize: 4 },
    );
    const events = await eventsOf(client.stream(request));
    const joined = { text: "", reasoning: "", arguments: "" };
    for (const event of events) {
      if (event.type === "text_delta") joined.text += event.text;
      if (event.type === "reasoning_delta") joined.reasoning += event.reasoningId === "reasoning_0" ? event.text : "";
      if (event.type === "tool_call_delta") joined.arguments += event.argumentsDelta;
    }
    expect(joined).toEqual({ text: "a longer text", reasoning: "thinking hard", arguments: '{"command":"ls -la"}' });
    expect(events.filter((event) => event.type === "text_delta").length).toBeGreaterThan(2);
    expect(events[0]?.type).toBe("stream_start");
    const last = events.at(-1);
    expect(last?.type === "finish" && textOf(last.response.message)).toBe("a longer text");
  });

  test("no character is split", async () => {
    const client = scriptedClient([text("\u{1f600}".repeat(5))], { chunkSize: 1 });
    const deltas = (await eventsOf(client.stream(request))).flatMap((event) =>
      event.type === "text_delta" ? [event.text] : [],
    );
    expect(deltas).toEqual(Array.from({ length: 5 }, () => "\u{1f600}"));
  });

  test("a stream breaks where the script says", async () => {
    const error = new EngineError("llm.stream_broken", {});
    const client = scriptedClient([failure(error, { after: text("half an ans") })]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of client.stream(request)) seen.push(event.type);
    })();
    await expect(reading).rejects.toBe(error);
    expect(seen).toContain("text_delta");
    expect(seen).not.toContain("finish");
  });

  test("a cancelled stream ends with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const reading = (async () => {
      for await (const event of scriptedClient([text("a long text")]).stream({
        ...request,
        signal: controller.signal,
      })) {
        if (event.type === "text_delta") controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
  });
});

test("failures are thrown, and calls beyond the script fail", async () => {
  const error = new EngineError("llm.rate_limited", {});
  const client = scriptedClient([failure(error)]);
  await expect(client.complete(request)).rejects.toBe(error);
  await expect(client.complete(request)).rejects.toThrow(
    "the script of the client has 1 steps and was asked for one more",
  );
  await expect(eventsOf(client.stream(request))).rejects.toThrow("asked for one more");
});

test("requests are recorded as they were when they arrived", async () => {
  const messages = [textMessage("user", "first")];
  const client = scriptedClient([text("a"), text("b")]);
  await client.complete({ model: "m", messages });
  messages.push(textMessage("user", "second"));
  await eventsOf(client.stream({ model: "m", messages }));
  expect(client.requests.map((request) => request.messages.map(textOf))).toEqual([["first"], ["first", "second"]]);
});

test("closing is recorded", async () => {
  const client = scriptedClient([]);
  expect(client.closed).toBe(false);
  await client.close();
  expect(client.closed).toBe(true);
});

test("in conversation mode, equal conversations get equal responses", async () => {
  const steps = [
    toolCalls([
      { name: "look", arguments: {} },
      { name: "look", arguments: {} },
    ]),
    toolCall("put"),
    text("done"),
  ];
  const ask = async (count: number): Promise<unknown> => {
    const client = scriptedClient(steps, { follows: "conversation" });
    const messages = [textMessage("user", "hello")];
    const responses = [];
    for (let turn = 0; turn < count; turn += 1) {
      const response = await client.complete({ ...request, messages });
      messages.push(response.message);
      responses.push(response);
    }
    // A new client continues the script where the previous client stopped.
    const next = scriptedClient(steps, { follows: "conversation" });
    const response = await next.complete({ ...request, messages });
    expect([next.remaining, next.requests.length]).toEqual([steps.length - count - 1, 1]);
    return [...responses, response].map(({ id, message }) => [id, message.parts]);
  };
  const complete = await ask(2);
  expect(await ask(1)).toEqual(Array.isArray(complete) ? complete.slice(0, 2) : undefined);
  expect(JSON.stringify(complete)).toContain('"id":"call_3"');
});
