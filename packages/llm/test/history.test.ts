import { type Message, type ModelResponse, textMessage } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { ask, clientOf, collect, type Family, READ_FILE } from "./families.ts";
import { answerJson, answerSse, type SeenRequest, startServer } from "./loopback-server.ts";
import { COMPLETE } from "./wire-answers.ts";

const USER = textMessage("user", "go");

async function answerOf(family: Family, model: string, events: readonly object[]): Promise<ModelResponse> {
  await using server = await startServer(answerSse(events));
  const base = family === "gemini" ? "/v1beta" : "/v1";
  const last = (
    await collect(clientOf(family, `${server.url}${base}`).stream({ model, messages: [USER], tools: [READ_FILE] }))
  ).at(-1);
  if (last?.type !== "finish") throw new Error("no answer");
  return last.response;
}

/** Returns the request that sends back a response and the results of its calls. */
async function sendBack(
  family: Family,
  model: string,
  { message }: ModelResponse,
): Promise<SeenRequest & { warnings: readonly string[] }> {
  const results: Message[] = message.parts.flatMap((part) =>
    part.type === "tool_call"
      ? [
          {
            role: "tool" as const,
            parts: [
              { type: "tool_result" as const, toolCallId: part.id, name: part.name, content: "A", isError: false },
            ],
          },
        ]
      : [],
  );
  await using server = await startServer(answerJson(COMPLETE[family]));
  const base = family === "gemini" ? "/v1beta" : "/v1";
  const { warnings } = await clientOf(family, `${server.url}${base}`).complete({
    model,
    messages: [USER, message, ...results],
    tools: [READ_FILE],
  });
  const seen = server.requests[0];
  if (seen === undefined) throw new Error("no request came");
  return { ...seen, warnings };
}

const ANTHROPIC_TURN = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      model: "claude-sonnet-4-5-20250929",
      content: [],
      usage: { input_tokens: 10, output_tokens: 0 },
    },
  },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Let me " } },
  { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "look." } },
  { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "c2lnbmF0dXJl==" } },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "b3BhcXVl" } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: { type: "tool_use", id: "toolu_1", name: "read_file", input: {} },
  },
  { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"path":"a"}' } },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 20 } },
  { type: "message_stop" },
];

test("Anthropic's thinking is sent back with its signature, verbatim and in place [client-messages-5]", async () => {
  const response = await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN);
  expect(response.message.parts.map((part) => part.type)).toEqual(["thinking", "redacted_thinking", "tool_call"]);
  expect(response.message.parts[0]).toMatchObject({
    text: "Let me look.",
    providerMetadata: { anthropic: { signature: "c2lnbmF0dXJl==" } },
  });
  const { at } = await sendBack("anthropic", "claude-sonnet-4-5", response);
  expect(at("messages", 1, "content")).toEqual([
    { type: "thinking", thinking: "Let me look.", signature: "c2lnbmF0dXJl==" },
    { type: "redacted_thinking", data: "b3BhcXVl" },
    { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a" } },
  ]);
});

test("thoughts and calls are streamed under an id each, from start to end [client-calls-2]", async () => {
  await using server = await startServer(answerSse(ANTHROPIC_TURN));
  const events = await collect(clientOf("anthropic", `${server.url}/v1`).stream(ask("claude-sonnet-4-5")));
  const thoughts = events.flatMap((event) => ("reasoningId" in event ? [event] : []));
  const first = thoughts.filter(({ reasoningId }) => reasoningId === thoughts[0]?.reasoningId).map(({ type }) => type);
  expect([first[0], first[1], first.at(-1)]).toEqual(["reasoning_start", "reasoning_delta", "reasoning_end"]);
  expect(first.filter((type) => type !== "reasoning_delta")).toHaveLength(2);
  expect(new Set(thoughts.map(({ reasoningId }) => reasoningId)).size).toBe(2);
  const calls = events.flatMap((event) => ("callId" in event ? [`${event.type} ${event.callId}`] : []));
  expect(calls).toEqual(["tool_call_start toolu_1", "tool_call_delta toolu_1", "tool_call_end toolu_1"]);
});

test("another model of the same provider gets the calls without the signatures [client-messages-6]", async () => {
  const response = await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN);
  const { at, text } = await sendBack("anthropic", "claude-opus-4-5", response);
  expect(at("messages", 1, "content")).toMatchObject([{ type: "tool_use", id: "toolu_1" }]);
  expect(text).not.toContain("c2lnbmF0dXJl");
});

test("another provider gets the calls without the signatures [client-messages-6]", async () => {
  const response = await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN);
  const { at, text } = await sendBack("openai", "gpt-5.1", response);
  expect(at("input")).toMatchObject([
    {},
    { type: "function_call", call_id: "toolu_1", name: "read_file", arguments: '{"path":"a"}' },
    { type: "function_call_output", call_id: "toolu_1", output: "A" },
  ]);
  expect(text).not.toContain("c2lnbmF0dXJl");
  expect((await sendBack("gemini", "gemini-2.5-pro", response)).text).not.toContain("c2lnbmF0dXJl");
});

test("a Gemini model that receives the calls of another model without signatures causes no warning [client-messages-6]", async () => {
  const answer = await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN);
  const { warnings, text } = await sendBack("gemini", "gemini-3-pro-preview", answer);
  expect(text).toContain('"functionCall"');
  expect(warnings).toEqual([]);
});

test("OpenAI's encrypted reasoning is sent back, so that OpenAI need not store it [client-messages-5]", async () => {
  const events = [
    { type: "response.created", response: { id: "resp_1", created_at: 1, model: "gpt-5.1" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "reasoning", id: "rs_1", encrypted_content: null },
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "reasoning", id: "rs_1", encrypted_content: "ZW5jcnlwdGVk", summary: [] },
    },
    {
      type: "response.output_item.added",
      output_index: 1,
      item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "read_file", arguments: "" },
    },
    { type: "response.function_call_arguments.delta", item_id: "fc_1", output_index: 1, delta: '{"path": "a"}' },
    {
      type: "response.output_item.done",
      output_index: 1,
      item: {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "read_file",
        arguments: '{"path": "a"}',
        status: "completed",
      },
    },
    {
      type: "response.completed",
      response: { incomplete_details: null, usage: { input_tokens: 1, output_tokens: 1 } },
    },
  ];
  const response = await answerOf("openai", "gpt-5.1", events);
  expect(response.finishReason.unified).toBe("tool_calls");
  const { at, text } = await sendBack("openai", "gpt-5.1", response);
  expect(at("input", 1)).toMatchObject({ type: "reasoning", encrypted_content: "ZW5jcnlwdGVk" });
  expect(at("input", 2)).toMatchObject({ type: "function_call", call_id: "call_1", arguments: '{"path": "a"}' });
  expect(text).not.toContain("item_reference");
});

test("Gemini's thought signatures are sent back on their original parts [client-messages-5]", async () => {
  const events = [
    {
      responseId: "r",
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "thinking", thought: true },
              { functionCall: { id: "g1", name: "read_file", args: { path: "a" } }, thoughtSignature: "c2ln" },
              { functionCall: { id: "g2", name: "read_file", args: { path: "b" } } },
            ],
          },
        },
      ],
    },
    { responseId: "r", candidates: [{ content: { role: "model", parts: [] }, finishReason: "STOP" }] },
  ];
  const response = await answerOf("gemini", "gemini-3-pro-preview", events);
  expect(response.message.parts.map((part) => part.type)).toEqual(["thinking", "tool_call", "tool_call"]);
  const { at } = await sendBack("gemini", "gemini-3-pro-preview", response);
  const calls = [{ functionCall: { id: "g1" }, thoughtSignature: "c2ln" }, { functionCall: { id: "g2" } }];
  expect(at("contents", 1, "parts")).toMatchObject(calls);
  expect(at("contents", 1, "parts", 1)).not.toHaveProperty("thoughtSignature");
});

test("a tool that Gemini executed itself is not a call for the caller, and is not confused with one later [client-messages-7]", async () => {
  const parts = [
    { executableCode: { language: "PYTHON", code: "print(1)" } },
    { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
    { text: "One." },
  ];
  const events = [{ responseId: "r", candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] }];
  const response = await answerOf("gemini", "gemini-2.5-pro", events);
  expect(response.finishReason.unified).toBe("stop");
  expect(response.message.parts.map((part) => part.type)).toEqual(["unknown", "unknown", "text"]);
  const { at } = await sendBack("gemini", "gemini-2.5-pro", response);
  expect(at("contents", 1, "parts")).toEqual([{ text: "One." }]);
});

test("a part that a model cannot be sent is refused by name [client-messages-7]", async () => {
  const unknown: Message = { role: "user", parts: [{ type: "unknown", kind: "hologram", value: {} }] };
  const call = clientOf("openai", "http://127.0.0.1:9/v1").complete({ model: "gpt-5.1", messages: [unknown] });
  await expect(call).rejects.toMatchObject({ code: "llm.unsupported_part", details: { part: "hologram" } });
  const sound: Message = { role: "user", parts: [{ type: "audio", data: "AAAA", mediaType: "audio/wav" }] };
  const pending = clientOf("openai", "http://127.0.0.1:9/v1").complete({ model: "gpt-5.1", messages: [sound] });
  await expect(pending).rejects.toMatchObject({ code: "llm.unsupported_part" });
});

test("an answer in two ways of one provider under two names: signatures stay with the name", async () => {
  const response = await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN);
  expect(response.message.origin).toEqual({ provider: "anthropic", model: "claude-sonnet-4-5" });
  const moved = { ...response.message, origin: { provider: "proxy", model: "claude-sonnet-4-5" } };
  expect((await sendBack("anthropic", "claude-sonnet-4-5", { ...response, message: moved })).text).not.toContain(
    "c2lnbmF0dXJl",
  );
});

test("a call of an invalid tool name is sent back under a name that the API accepts", async () => {
  for (const [name, sent] of [
    ["odd name!", "odd_name_"],
    ["", "unnamed_tool"],
    ["1st", "_1st"],
    ["x".repeat(99), "x".repeat(64)],
    ["read_file", "read_file"],
  ]) {
    const parts = [{ type: "tool_call" as const, id: "toolu_1", name: name ?? "", arguments: "{}" }];
    const response = { message: { role: "assistant" as const, parts } };
    const complete = { ...(await answerOf("anthropic", "claude-sonnet-4-5", ANTHROPIC_TURN)), ...response };
    const anthropic = await sendBack("anthropic", "claude-sonnet-4-5", complete);
    expect(anthropic.at("messages", 1, "content", 0, "name")).toBe(sent);
    expect((await sendBack("openai", "gpt-5.1", complete)).at("input", 1, "name")).toBe(sent);
    const gemini = await sendBack("gemini", "gemini-2.5-pro", complete);
    expect(gemini.at("contents", 1, "parts", 0, "functionCall", "name")).toBe(sent);
    expect(gemini.at("contents", 2, "parts", 0, "functionResponse", "name")).toBe(sent);
  }
});

test("the signature of an empty text at the end of Gemini's response replaces no other [client-messages-5]", async () => {
  const parts = [
    { text: "Hm.", thoughtSignature: "dGV4dA==" },
    { functionCall: { id: "g1", name: "read_file", args: { path: "a" } }, thoughtSignature: "Y2FsbA==" },
    { functionCall: { id: "g2", name: "read_file", args: { path: "b" } } },
    { text: "", thoughtSignature: "ZW5k" },
  ];
  const model = "gemini-3-pro-preview";
  const answer = { responseId: "r", candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] };
  await using server = await startServer(answerJson(answer));
  const complete = await clientOf("gemini", `${server.url}/v1beta`).complete({
    model,
    messages: [USER],
    tools: [READ_FILE],
  });
  for (const response of [complete, await answerOf("gemini", model, [answer])]) {
    const { at } = await sendBack("gemini", model, response);
    const sent = [0, 1, 2].map((index) => at("contents", 1, "parts", index, "thoughtSignature"));
    expect(sent).toEqual(["dGV4dA==", "Y2FsbA==", undefined]);
  }
});

test.each(["openai", "anthropic", "gemini"] as const)(
  "half a character is sent to %s as the mark for one",
  async (family) => {
    const half = "cut \ud83d";
    const messages: Message[] = [
      textMessage("system", half),
      textMessage("user", half),
      {
        role: "assistant",
        parts: [
          { type: "text", text: half },
          { type: "tool_call", id: "a", name: "read_file", arguments: `{"path":"${half}","whole":"\\ud83d\\ude00"}` },
          { type: "tool_call", id: "b", name: "read_file", arguments: '{"path":"cut \\ud83d"}' },
          { type: "tool_call", id: "c", name: "read_file", arguments: `{"path":"${half}` },
          { type: "tool_call", id: "d", name: "read_file", arguments: '{"path":"C:\\\\ud83d"}' },
        ],
      },
      {
        role: "tool",
        parts: ["a", "b", "c", "d"].map((toolCallId) => ({
          type: "tool_result",
          toolCallId,
          name: "read_file",
          content: half,
          isError: false,
        })),
      },
    ];
    await using server = await startServer(answerJson(COMPLETE[family]));
    await clientOf(family, `${server.url}/v1`).complete({ model: "m", messages, tools: [READ_FILE] });
    const sent = JSON.stringify(server.requests[0]?.json);
    // Texts are converted to well-formed Unicode one level deeper than JSON: OpenAI's arguments are JSON text in a JSON
    // text.
    expect(sent).not.toMatch(/(?<!\\)\\ud83d/);
    expect(sent.split("cut \ufffd")).toHaveLength(11);
    expect(sent).toContain("C:");
  },
);
