import { type Client, type Message, type ModelResponse, textMessage } from "@switchyard/contracts";
import { describe, expect, test } from "vitest";
import { createClient, createOpenAiCompatibleProvider } from "../src/index.ts";
import { ask, clientOf, collect, type Family } from "./families.ts";
import {
  answerJson,
  answerSse,
  type Handler,
  type LoopbackServer,
  type SeenRequest,
  startServer,
} from "./loopback-server.ts";

type Speaker = Family | "house";

function clientAt(speaker: Speaker, server: LoopbackServer): Client {
  if (speaker !== "house") return clientOf(speaker, `${server.url}${speaker === "gemini" ? "/v1beta" : "/v1"}`);
  const provider = createOpenAiCompatibleProvider({ name: "house", baseUrl: `${server.url}/v1` });
  return createClient({ providers: { house: provider }, defaultProvider: "house" });
}

/** Returns the requests that follow a response: one to the same provider, and one to another. */
async function sentBack(
  speaker: Speaker,
  handle: Handler,
  isStreamed: boolean,
): Promise<{ sameProvider: SeenRequest; other: SeenRequest; response: ModelResponse }> {
  const model = speaker === "gemini" ? "gemini-3-pro" : "m";
  await using server = await startServer(handle);
  const client = clientAt(speaker, server);
  const events = isStreamed ? await collect(client.stream(ask(model))) : [];
  const last = events.at(-1);
  const response = last?.type === "finish" ? last.response : await client.complete(ask(model));
  // Like a history that was written to a file and read again.
  const message: Message = JSON.parse(JSON.stringify(response.message));
  const results = message.parts.flatMap((part) =>
    part.type === "tool_call"
      ? [{ type: "tool_result" as const, toolCallId: part.id, name: part.name, content: "done", isError: false }]
      : [],
  );
  const next: Message = results.length > 0 ? { role: "tool", parts: results } : textMessage("user", "go on");
  const messages = [textMessage("user", "hello"), message, next];
  const before = server.requests.length;
  await client.complete({ model, messages }).catch(() => undefined);
  await client.complete({ model: `${model}-other`, messages }).catch(() => undefined);
  const [sameProvider, other] = server.requests.slice(before);
  if (sameProvider === undefined || other === undefined) throw new Error("the requests did not arrive");
  return { sameProvider, other, response };
}

function chatHandler(message: object, deltas: readonly object[]): Handler {
  return (response, request) => {
    const finish_reason = "tool_calls" in message ? "tool_calls" : "stop";
    const complete = {
      id: "1",
      choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason }],
    };
    const chunks = deltas.map((delta) => ({ id: "1", choices: [{ index: 0, delta }] }));
    const end = { id: "1", choices: [{ index: 0, delta: {}, finish_reason }] };
    (request.at("stream") === true ? answerSse([...chunks, end]) : answerJson(complete))(response, request);
  };
}

const FUNCTION = { name: "read", arguments: '{"path":"a"}' };
const CALL = { index: 0, id: "c1", type: "function", function: FUNCTION };
const assistant = (request: SeenRequest): unknown => request.at("messages", 1);

describe.each([
  ["whole", false],
  ["streamed", true],
] as const)("of a %s chat completion", (_, isStreamed) => {
  test("Gemini's signatures of calls are sent back in their original field, only on the calls", async () => {
    const extra_content = { google: { thought_signature: "sig-1" }, more: { kept: true } };
    const calls = [
      { ...CALL, extra_content },
      { ...CALL, index: 1, id: "c2" },
    ];
    const { sameProvider, other } = await sentBack(
      "house",
      chatHandler({ tool_calls: calls }, [{ tool_calls: calls }]),
      isStreamed,
    );
    expect(sameProvider.at("messages", 1, "tool_calls", 0)).toEqual({
      id: "c1",
      type: "function",
      function: FUNCTION,
      extra_content,
    });
    expect(sameProvider.at("messages", 1, "tool_calls", 1)).toEqual({ id: "c2", type: "function", function: FUNCTION });
    expect(sameProvider.text.match(/sig-1/g)).toHaveLength(1);
    expect(sameProvider.at("messages", 2)).toEqual({ role: "tool", tool_call_id: "c1", content: "done" });
    expect(other.text).not.toContain("sig-1");
  });

  test("OpenRouter's reasoning_details are sent back verbatim next to the reasoning", async () => {
    const text = {
      type: "reasoning.text",
      text: "Let me see.",
      signature: "sig-2",
      format: "anthropic-claude-v1",
      index: 0,
    };
    const secret = {
      type: "reasoning.encrypted",
      data: "c2VjcmV0",
      id: "rs_1",
      format: "openai-responses-v1",
      index: 1,
    };
    const deltas = [
      {
        reasoning: "Let me ",
        reasoning_details: [
          { type: "reasoning.text", text: "Let me ", signature: null, format: "anthropic-claude-v1", index: 0 },
        ],
      },
      {
        reasoning: "see.",
        reasoning_details: [{ type: "reasoning.text", text: "see.", format: "anthropic-claude-v1", index: 0 }],
      },
      {
        reasoning: "",
        reasoning_details: [{ type: "reasoning.text", signature: "sig-2", format: "anthropic-claude-v1", index: 0 }],
      },
      { reasoning_details: [secret] },
      { tool_calls: [CALL] },
    ];
    const message = { reasoning: "Let me see.", reasoning_details: [text, secret], tool_calls: [CALL] };
    const { sameProvider, other } = await sentBack("house", chatHandler(message, deltas), isStreamed);
    expect(assistant(sameProvider)).toMatchObject({ reasoning: "Let me see.", reasoning_details: [text, secret] });
    expect(other.text).not.toMatch(/sig-2|c2VjcmV0|Let me see/);
  });

  test("reasoning_details without any text are sent back", async () => {
    const details = [{ type: "reasoning.encrypted", data: "c2VjcmV0", index: 0 }];
    const message = { reasoning_details: details, content: "Hi" };
    const { sameProvider, other } = await sentBack(
      "house",
      chatHandler(message, [{ reasoning_details: details }, { content: "Hi" }]),
      isStreamed,
    );
    expect(assistant(sameProvider)).toEqual({ role: "assistant", content: "Hi", reasoning_details: details });
    expect(other.text).not.toContain("c2VjcmV0");
  });

  test("an empty reasoning_content next to a call is sent back", async () => {
    const message = { reasoning_content: "", tool_calls: [CALL] };
    const { sameProvider, other, response } = await sentBack(
      "house",
      chatHandler(message, [{ reasoning_content: "" }, { tool_calls: [CALL] }]),
      isStreamed,
    );
    expect(assistant(sameProvider)).toMatchObject({ reasoning_content: "", tool_calls: [{ id: "c1" }] });
    expect(other.text).not.toContain("reasoning_content");
    expect(response.message.parts.at(-1)?.type).toBe("tool_call");
  });

  test("an empty reasoning_content without a call has no meaning", async () => {
    const { sameProvider, response } = await sentBack(
      "house",
      chatHandler({ reasoning_content: "", content: "Hi" }, [{ reasoning_content: "", content: "Hi" }]),
      isStreamed,
    );
    expect(sameProvider.text).not.toContain("reasoning_content");
    expect(response.message.parts).toEqual([{ type: "text", text: "Hi" }]);
  });

  test("reasoning that was part of the content is sent back as part of the content", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Hi" },
    ];
    const { sameProvider, other } = await sentBack(
      "house",
      chatHandler({ content }, [{ content: [content[0]] }, { content: "Hi" }]),
      isStreamed,
    );
    expect(assistant(sameProvider)).toEqual({ role: "assistant", content });
    expect(other.text).not.toContain("Hm.");
  });
});

describe.each([
  ["whole", false],
  ["streamed", true],
] as const)("of a %s answer", (_, isStreamed) => {
  test("Gemini's signatures are sent back on their original parts: reasoning, text and calls", async () => {
    const parts = [
      { text: "Hm.", thought: true, thoughtSignature: "sig-thought" },
      { text: "Reading.", thoughtSignature: "sig-text" },
      { functionCall: { id: "c1", name: "read", args: { path: "a" } }, thoughtSignature: "sig-call" },
      { functionCall: { id: "c2", name: "read", args: { path: "b" } } },
    ];
    const answer = (list: readonly object[], finishReason?: string): object => ({
      candidates: [{ content: { role: "model", parts: list }, finishReason }],
    });
    const handle: Handler = (response, request) =>
      (request.path.includes("stream")
        ? answerSse([...parts.map((part) => answer([part])), answer([], "STOP")])
        : answerJson(answer(parts, "STOP")))(response, request);
    const { sameProvider, other } = await sentBack("gemini", handle, isStreamed);
    expect(sameProvider.at("contents", 1, "parts")).toMatchObject(parts);
    expect(sameProvider.at("contents", 1, "parts", 3)).not.toHaveProperty("thoughtSignature");
    expect(other.text).not.toMatch(/sig-(thought|text|call)/);
  });

  test("Anthropic's signatures and redacted thinking are sent back in order", async () => {
    const content = [
      { type: "thinking", thinking: "Hm.", signature: "sig-1" },
      { type: "redacted_thinking", data: "c2VjcmV0" },
      { type: "tool_use", id: "t1", name: "read", input: { path: "a" } },
    ];
    const start = content.flatMap((block, index) => {
      const { type } = block;
      const delta = (fields: object): object => ({ type: "content_block_delta", index, delta: fields });
      const begin =
        type === "thinking"
          ? { type, thinking: "", signature: "" }
          : type === "tool_use"
            ? { ...block, input: {} }
            : block;
      const middle =
        type === "thinking"
          ? [delta({ type: "thinking_delta", thinking: "Hm." }), delta({ type: "signature_delta", signature: "sig-1" })]
          : type === "tool_use"
            ? [delta({ type: "input_json_delta", partial_json: '{"path":"a"}' })]
            : [];
      return [
        { type: "content_block_start", index, content_block: begin },
        ...middle,
        { type: "content_block_stop", index },
      ];
    });
    const usage = { input_tokens: 1, output_tokens: 1 };
    const events = [
      { type: "message_start", message: { id: "m", model: "m", content: [], usage } },
      ...start,
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
      { type: "message_stop" },
    ];
    const complete = { type: "message", id: "m", model: "m", content, stop_reason: "tool_use", usage };
    const handle: Handler = (response, request) =>
      (request.at("stream") === true ? answerSse(events) : answerJson(complete))(response, request);
    const { sameProvider, other } = await sentBack("anthropic", handle, isStreamed);
    expect(sameProvider.at("messages", 1, "content")).toMatchObject(content);
    expect(other.text).not.toMatch(/sig-1|c2VjcmV0/);
  });

  // A call is sent back with its call id only: with its item's id, OpenAI requires the reasoning before it, which a
  // shortened conversation no longer contains.
  test("OpenAI's encrypted reasoning and the ids of its items are sent back", async () => {
    const output = [
      {
        type: "reasoning",
        id: "rs_1",
        encrypted_content: "c2VjcmV0",
        summary: [{ type: "summary_text", text: "Hm." }],
      },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [{ type: "output_text", text: "Reading.", annotations: [] }],
      },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "c1",
        name: "read",
        arguments: '{"path":"a"}',
        status: "completed",
      },
    ];
    const [thought, message, call] = output;
    const events = [
      { type: "response.created", response: { id: "r", created_at: 1, model: "m" } },
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", encrypted_content: null, summary: [] },
      },
      { type: "response.reasoning_summary_part.added", item_id: "rs_1", summary_index: 0 },
      { type: "response.reasoning_summary_text.delta", item_id: "rs_1", summary_index: 0, delta: "Hm." },
      { type: "response.output_item.done", output_index: 0, item: thought },
      { type: "response.output_item.added", output_index: 1, item: { type: "message", id: "msg_1" } },
      { type: "response.output_text.delta", item_id: "msg_1", delta: "Reading." },
      { type: "response.output_item.done", output_index: 1, item: message },
      { type: "response.output_item.added", output_index: 2, item: { ...call, arguments: "" } },
      { type: "response.output_item.done", output_index: 2, item: call },
      { type: "response.completed", response: { usage: { input_tokens: 1, output_tokens: 1 } } },
    ];
    const complete = { id: "r", created_at: 1, model: "m", output, usage: { input_tokens: 1, output_tokens: 1 } };
    const handle: Handler = (response, request) =>
      (request.at("stream") === true ? answerSse(events) : answerJson(complete))(response, request);
    const { sameProvider, other } = await sentBack("openai", handle, isStreamed);
    expect(sameProvider.text).toContain('"encrypted_content":"c2VjcmV0"');
    expect(sameProvider.at("input", "*", "id")).toEqual(expect.arrayContaining(["rs_1", "msg_1"]));
    expect(sameProvider.at("input", "*", "call_id")).toEqual(expect.arrayContaining(["c1"]));
    expect(other.text).not.toMatch(/c2VjcmV0|rs_1|msg_1|fc_1/);
  });
});
